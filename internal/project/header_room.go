package project

import "sync"

// An entryRoom is where the entries of one header, or of one file of plain YAML, lie. Headers are decoded as soon as they are read, and in a project with typed
// contracts their entries would be an eighth of all memory that a check asks for; so a room is used again for the next header.
type entryRoom struct {
	open []Entry // of brackets that are not closed yet, the innermost last
	shut []Entry // of closed ones, in pieces; a piece never moves
}

// mostRoom bounds the entries that are allocated at one time: a YAML file may have a hundred thousand.
const mostRoom = 4096

// entryRooms are the rooms that no header uses.
var entryRooms = sync.Pool{New: func() any { return new(entryRoom) }}

// enterRoom takes a room for a header whose entries are decoded before [entryRoom.leave]. Who holds on to entries makes a room of
// his own.
func enterRoom() *entryRoom { return entryRooms.Get().(*entryRoom) }

// closed takes the entries above base off the stack of open ones and returns them in one piece.
func (m *entryRoom) closed(base int) []Entry {
	n := len(m.open) - base
	if n == 0 {
		return nil
	}
	// Where the piece does not fit, a new room begins; the full one stays with the pieces in it.
	if cap(m.shut)-len(m.shut) < n {
		m.shut = make([]Entry, 0, max(n, min(2*cap(m.shut), mostRoom), 64))
	}
	at := len(m.shut)
	m.shut = append(m.shut, m.open[base:]...)
	m.open = m.open[:base]
	return m.shut[at:len(m.shut):len(m.shut)]
}

// leave makes the room free for the next header: nothing may hold on to any entry in it. What is in it is cleared, so that it keeps
// no text in memory.
func (m *entryRoom) leave() {
	clear(m.open[:cap(m.open)])
	clear(m.shut)
	m.open, m.shut = m.open[:0], m.shut[:0]
	entryRooms.Put(m)
}
