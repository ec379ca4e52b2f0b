package sql

import "strings"

// callWords are keywords that are written like functions: CAST(x AS y).
var callWords = map[word]bool{
	wCast: true, wTryCast: true, wExtract: true, wCoalesce: true, wNullif: true, wSubstring: true, wTrim: true,
	wPosition: true, wOverlay: true, wRow: true, wColumns: true, wStruct: true, wMap: true, wArray: true,
	wGrouping: true, wGroupingID: true,
}

// space reports whether a space stands before a token that is on one line with the token before it.
func (f *formatter) space(i int) bool {
	if i == f.query && i > 0 {
		return true
	}
	wanted := f.wantsSpace(i)
	if i < f.query {
		wanted = f.headerSpace(i)
	}
	if wanted || i >= f.n {
		return wanted
	}
	// Two tokens that the author kept apart must not become one.
	return f.toks[i].Space < f.toks[i].Start && merges(f.text[f.toks[i-1].End-1], f.text[f.toks[i].Start])
}

// merges reports whether two characters could belong to one token.
func merges(a, b byte) bool {
	ka, kb := charClass[a], charClass[b]
	switch {
	case ka == charOperator:
		return kb == charOperator || a == '@' && (kb == charLetter || b == '\'')
	case ka == charLetter || ka == charDigit || a == '$':
		return kb == charLetter || kb == charDigit || b == '$' || b == '\'' || ka == charDigit && b == '.'
	}
	return a == '.' && kb == charDigit || a == ':' && (b == ':' || b == '=') || a == '\'' && b == '\'' || a == '"' && b == '"' ||
		a == '?' && kb == charDigit
}

func (f *formatter) wantsSpace(i int) bool {
	prev, cur := f.toks[i-1], f.toks[i]
	switch cur.Kind {
	case Comma, Semicolon, RParen, RBracket, RBrace, Dot, ColonColon:
		return false
	case LParen:
		return f.spaceBeforeParen(i)
	case LBracket:
		return f.spaceBeforeBracket(i)
	case Colon:
		return false
	case Operator:
		if f.role[i] == postfix || f.keepsSign(i) {
			return false
		}
	case EOF:
		return false
	}
	switch prev.Kind {
	case LParen, LBracket, LBrace, Dot, ColonColon:
		return false
	case Colon: // x[1:2], but {'a': 1} and lambda x: x
		o := f.inside[i]
		return o < 0 || f.toks[o].Kind != LBracket
	case Operator:
		return f.role[i-1] != prefix
	}
	return true
}

// keepsSign reports whether a token is a sign that belongs where it is: //, ** and ->> bind otherwise with a space in front of it.
func (f *formatter) keepsSign(i int) bool {
	prev := f.toks[i-1]
	if prev.Kind != Operator || prev.End != f.toks[i].Start || !signBehind(f.text, prev) {
		return false
	}
	op := f.textOf(i - 1)
	return op == "//" || op == "**" || op == "->>"
}

// spaceBeforeParen tells the arguments of a call from parentheses behind a keyword.
func (f *formatter) spaceBeforeParen(i int) bool {
	prev := f.toks[i-1]
	switch prev.Kind {
	case Ident, QuotedIdent:
		if f.word[i-1] != plainWord {
			return false
		}
		return prev.word != noWord && !callWords[prev.word] || prev.Class == Reserved && prev.word == noWord
	case Sigil, LParen, LBracket, LBrace, Dot, ColonColon:
		return false
	case RParen: // __udf("f")(x)
		o := int(f.match[i-1])
		return o <= f.query || !strings.HasPrefix(f.textOf(o-1), "__")
	case Operator:
		return f.role[i-1] != prefix
	}
	return true
}

// spaceBeforeBracket tells x[1] from a list.
func (f *formatter) spaceBeforeBracket(i int) bool {
	prev := f.toks[i-1]
	switch prev.Kind {
	case Ident:
		return f.word[i-1] == plainWord && prev.word != noWord && prev.word != wArray
	case Operator:
		return f.role[i-1] != prefix
	case Comma, Colon, ColonEqual, EqualArrow, MinusArrow:
		return true
	}
	return false
}
