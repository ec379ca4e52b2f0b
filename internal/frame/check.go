package frame

import "fmt"

// check holds a column to what it promises of its slices. It is linear in the missing cells and their mask, and what it
// finds is always a mistake in the code that built the column.
func (c *Column) check() error {
	filled := map[string]int{"Bools": len(c.Bools), "Ints": len(c.Ints), "Floats": len(c.Floats), "Texts": len(c.Texts)}
	delete(filled, c.slice())
	for slice, n := range filled {
		if n > 0 {
			return fmt.Errorf("column %s is of kind %v and has cells in %s", c.Name, c.Kind, slice)
		}
	}
	for i, missing := range c.Missing {
		if missing && !c.zero(i) {
			return fmt.Errorf("column %s has a value in cell %d, which is missing", c.Name, i)
		}
	}
	return nil
}

// slice names the slice that holds the cells of the column's kind.
func (c *Column) slice() string {
	switch c.Kind {
	case Bool:
		return "Bools"
	case Int, Date, Timestamp:
		return "Ints"
	case Float:
		return "Floats"
	}
	return "Texts"
}

func (c *Column) zero(i int) bool {
	switch c.slice() {
	case "Bools":
		return !c.Bools[i]
	case "Ints":
		return c.Ints[i] == 0
	case "Floats":
		return c.Floats[i] == 0
	}
	return c.Texts[i] == ""
}
