package sql

import "strings"

// refKinds are the names of explicit references.
var refKinds = map[string]RefKind{
	"__ref": RefModel, "__source": RefSource, "__seed": RefSeed, "__dbt_ref": RefDbt,
}

// projectTable reads a reference or table function of the project in FROM. It returns nil when
// the name at hand is neither.
func (p *parser) projectTable(lateral bool) TableExpr {
	t := p.tok()
	word := p.textOf(t)
	if kind, ok := refKinds[word]; ok {
		p.i++
		name := p.projectName(word)
		return &RefTable{Range: p.to(t.Start), Call: p.to(t.Start), Kind: kind, Name: name}
	}
	if word != "__table_fn" {
		return nil
	}
	call := p.projectFunc(t, word, CallTableFn)
	f := &TableFunc{Range: p.to(t.Start), Call: call, Lateral: lateral}
	if p.at(wWith) && p.peek(1).word == wOrdinality {
		p.i += 2
		f.Ordinality = true
	}
	return f
}

// projectCall reads a scalar function of the project. It returns nil when the name at hand is
// none; a reference to a relation is a problem here.
func (p *parser) projectCall() Expr {
	t := p.tok()
	word := p.textOf(t)
	if _, ok := refKinds[word]; ok || word == "__table_fn" {
		p.report(CodeUnexpected, "%s is a relation and can't stand in an expression", word).
			WithHelp("use it in FROM")
		return &Bad{t.Bounds()}
	}
	if word != "__udf" {
		return nil
	}
	return p.projectFunc(t, word, CallUDF)
}

// projectFunc reads __udf("f")(args) or __table_fn("f")(args).
func (p *parser) projectFunc(t *Token, word string, kind ProjectCallKind) Expr {
	p.i++
	c := &ProjectCall{Kind: kind, Name: p.projectName(word)}
	open, ok := p.open(LParen, "( and the arguments")
	if ok && !p.acceptKind(RParen) {
		c.Args = p.args()
		p.close(RParen, open)
	}
	c.Range = p.to(t.Start)
	return c
}

// projectName reads ("name") after a form of the project; single quotes are fine too.
func (p *parser) projectName(word string) Name {
	open, ok := p.open(LParen, "(")
	if !ok {
		return Name{}
	}
	t := p.tok()
	if t.Kind != QuotedIdent && t.Kind != String {
		p.unexpected("a name in double quotes").WithHelp(`write %s("name")`, word)
		return Name{}
	}
	n := p.takeName()
	if n.Text == "" {
		p.reportAt(CodeMissing, t.Bounds(), "a name can't be empty")
	}
	p.close(RParen, open)
	return n
}

// template reads a form that begins with @.
func (p *parser) template() *Template {
	t := p.next()
	text := p.textOf(t)
	name := strings.TrimLeft(text, "@")
	x := &Template{Name: name}
	switch sigils := len(text) - len(name); {
	case sigils == 3:
		x.Kind = TemplatePlaceholder
	case sigils == 2:
		x.Kind = TemplateVar
	case name[0] == '\'':
		x.Kind = TemplateQuotedArg
		x.Name = unquote(name, '\'')
	case !p.atKind(LParen):
		x.Kind = TemplateArg
	case name == "const":
		x.Kind = TemplateConst
		x.Name = p.projectName(text).Text
	case name == "param":
		x.Kind = TemplateParam
		x.Name = p.projectName(text).Text
	case name == "enum":
		x.Kind = TemplateEnum
		x.Name = p.projectName(text).Text
		if p.atKind(Dot) && !p.bad {
			p.i++
			x.Member = p.attribute()
		}
	default:
		x.Kind = TemplateMacro
		open := p.i
		p.i++
		if !p.acceptKind(RParen) {
			x.Args = p.macroArgs()
			p.close(RParen, open)
		}
	}
	x.Range = p.to(t.Start)
	return x
}

// macroArgs reads the arguments of a macro: expressions, and references to relations.
func (p *parser) macroArgs() []Arg {
	var args []Arg
	for {
		t := p.tok()
		if _, ok := refKinds[p.textOf(t)]; ok {
			ref := p.projectTable(false).(*RefTable)
			args = append(args, Arg{Range: ref.Range, Value: &RefExpr{Range: ref.Range, Ref: ref}})
		} else {
			args = append(args, p.arg())
		}
		if p.bad || !p.acceptKind(Comma) {
			return args
		}
	}
}
