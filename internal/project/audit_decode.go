package project

import (
	"slices"

	"github.com/norn-data/norn/internal/diag"
)

// builtInAudits are the audits norn can run, for suggestions.
var builtInAudits = []string{"accepted_values", "holdout", "not_null", "relationships", "unique"}

// metrics are the scores a holdout audit can ask for.
var metrics = []string{string(Accuracy), string(AUC), string(LogLoss), string(MAE), string(R2), string(RMSE)}

// audits reads audits [ … ]. whole says that they belong to a whole node and not to one of its columns.
func (d *decoder) audits(e Entry, whole bool) []AuditCall {
	if e.Value.Kind != ListValue {
		d.wrong(e, "a list of audits")
		return nil
	}
	var list []AuditCall
	for _, item := range e.Value.Items {
		v := item.Value
		switch v.Kind {
		case WordValue, CallValue:
			if a, ok := d.audit(v, whole); ok {
				list = append(list, a)
			}
		default:
			d.r.add(diag.New("E0104", v.Span, "expected an audit, found %s", describe(v)).
				WithHelp("known are %s", diag.Listing(builtInAudits)))
		}
	}
	return list
}

// audit reads one audit: a word, or a call with arguments.
func (d *decoder) audit(v Value, whole bool) (AuditCall, bool) {
	name := Word{v.Text, v.Span}
	name.Span.End = name.Span.Start + len(v.Text)
	a := AuditCall{Name: name, Span: v.Span}
	var args []Entry
	if v.Kind == CallValue {
		args = v.Items
	}
	problems := len(d.r.problems)
	switch fold(v.Text) {
	case "not_null", "unique":
		a.Kind = AuditNotNull
		if fold(v.Text) == "unique" {
			a.Kind = AuditUnique
		}
		keys := keyTable{}
		if whole {
			columns := func(d *decoder, e Entry) { a.Columns = d.names(e, "a column or a list of columns") }
			keys["columns"], keys["column"] = columns, columns
		}
		d.auditArgs(&a, args, keys, "columns")
		if whole && len(a.Columns) == 0 && len(d.r.problems) == problems {
			d.r.add(diag.New("E0106", v.Span, "%s does not say which columns it is about", v.Text).
				WithHelp("write %s(columns [a, b]), or move the audit to its column", fold(v.Text)))
		}
	case "accepted_values":
		a.Kind = AuditAcceptedValues
		keys := keyTable{"values": func(d *decoder, e Entry) { a.Values = d.literals(e) }}
		d.columnArg(&a, keys, whole)
		d.auditArgs(&a, args, keys, "values")
		d.needColumn(&a, whole, problems)
		if len(a.Values) == 0 && len(d.r.problems) == problems {
			d.r.add(diag.New("E0106", v.Span, "accepted_values does not say which values").
				WithHelp("write accepted_values(values ['a', 'b'])"))
		}
	case "relationships":
		a.Kind = AuditRelationships
		keys := keyTable{
			"to":    func(d *decoder, e Entry) { a.To = d.target(e) },
			"field": func(d *decoder, e Entry) { a.Field = d.name(e, "the name of a column") },
		}
		d.columnArg(&a, keys, whole)
		d.auditArgs(&a, args, keys, "to", "field")
		d.needColumn(&a, whole, problems)
		if (!a.To.Given() || !a.Field.Given()) && len(d.r.problems) == problems {
			d.r.add(diag.New("E0106", v.Span, "relationships needs to and field").
				WithHelp("write relationships(to customers, field customer_id)"))
		}
	case "holdout":
		a.Kind = AuditHoldout
		if !whole {
			d.r.add(diag.New("E0116", v.Span, "holdout is about a whole prediction, not about a column").
				WithHelp("move it to the model's own audits"))
			return a, false
		}
		d.thresholds(&a, v, args)
	default:
		// Whether the project has an audit of that name is known when all files are read.
		a.Kind = AuditCustom
		a.Args = d.auditArguments(&a, args)
		return a, true
	}
	return a, len(d.r.problems) == problems
}

// auditArguments takes the arguments of an audit of the project's own. What it can be given is known when all files are read.
func (d *decoder) auditArguments(a *AuditCall, args []Entry) []AuditArg {
	var list []AuditArg
	for _, e := range args {
		switch {
		case !e.Key.Given() || e.Value.Kind == NoValue:
			at := e.Value.Span
			if e.Key.Given() {
				at = e.Key.Span
			}
			d.r.add(diag.New("E0104", at, "an argument of %s has a name", a.Name.Text).WithHelp("write name value"))
		case fold(e.Key.Text) == "severity":
			if i := d.choice(e, "severity", "error", "warn"); i >= 0 {
				a.Severity = Severity(i)
			}
		case slices.Contains([]string{"name", "description", "run_scope", "minimum_samples", "evidence_limit", "thresholds"}, fold(e.Key.Text)):
		default:
			list = append(list, AuditArg{e.Key, argumentText(e.Value, false), argumentText(e.Value, true)})
		}
	}
	return list
}

// columnArg lets an audit that stands on a whole node name its column.
func (d *decoder) columnArg(a *AuditCall, keys keyTable, whole bool) {
	if !whole {
		return
	}
	keys["column"] = func(d *decoder, e Entry) {
		if w := d.name(e, "the name of a column"); w.Given() {
			a.Columns = []Word{w}
		}
	}
}

// needColumn asks an audit of one column, attached to a whole node, which column it means. It is silent when the audit has a
// problem already: one slip, one message.
func (d *decoder) needColumn(a *AuditCall, whole bool, problems int) {
	if whole && len(a.Columns) == 0 && len(d.r.problems) == problems {
		d.r.add(diag.New("E0106", a.Span, "%s does not say which column it is about", a.Kind).
			WithHelp("add column, or move the audit to its column"))
	}
}

// auditArgs reads the arguments of an audit. Those without a key get the keys of positional, in order.
func (d *decoder) auditArgs(a *AuditCall, args []Entry, keys keyTable, positional ...string) {
	keys["severity"] = func(d *decoder, e Entry) {
		if i := d.choice(e, "severity", "error", "warn"); i >= 0 {
			a.Severity = Severity(i)
		}
	}
	named := make([]Entry, 0, len(args))
	for i, e := range args {
		if e.Key.Given() && e.Value.Kind == NoValue {
			// A lone word is a value in a call, unless it is the name of an argument.
			if _, isKey := keys[fold(e.Key.Text)]; !isKey {
				e = Entry{Value: Value{Kind: WordValue, Text: e.Key.Text, Span: e.Key.Span}}
			}
		} else if e.Key.Given() && e.Value.Kind == BlockValue && fold(e.Key.Text) == "__ref" {
			e = Entry{Value: Value{Kind: CallValue, Text: e.Key.Text, Items: e.Value.Items, Span: e.Span()}}
		}
		if !e.Key.Given() && i < len(positional) {
			e.Key = Word{positional[i], e.Value.Span}
		}
		named = append(named, e)
	}
	d.block(a.Name.Text, named, keys)
}

// target reads the node of a relationships audit: a name, or a reference written as in a query.
func (d *decoder) target(e Entry) Word {
	v := e.Value
	if v.Kind == CallValue && slices.Contains([]string{"__ref", "__source", "__seed"}, v.Text) &&
		len(v.Items) == 1 && v.Items[0].Value.Kind == StringValue {
		return Word{v.Items[0].Value.Text, v.Span}
	}
	return d.name(e, "the name of a model, source or seed")
}

// literals reads a list of constants.
func (d *decoder) literals(e Entry) []Literal {
	if e.Value.Kind != ListValue {
		d.wrong(e, "a list of values")
		return nil
	}
	var list []Literal
	for _, item := range e.Value.Items {
		l := Literal{Text: item.Value.Text, Span: item.Value.Span}
		switch item.Value.Kind {
		case StringValue, WordValue:
			if t := fold(l.Text); item.Value.Kind == WordValue && (t == "true" || t == "false") {
				l.Kind, l.Text = BoolLiteral, t
			}
		case NumberValue:
			l.Kind = NumberLiteral
		default:
			d.r.add(diag.New("E0104", item.Value.Span, "expected a constant, found %s", describe(item.Value)).
				WithHelp("write texts in quotes, numbers, true or false"))
			continue
		}
		list = append(list, l)
	}
	return list
}

// thresholds reads holdout(auc >= 0.75, …).
func (d *decoder) thresholds(a *AuditCall, v Value, args []Entry) {
	for _, e := range args {
		if !e.Key.Given() {
			d.r.add(diag.New("E0104", e.Value.Span, "expected a metric, found %s", describe(e.Value)).
				WithHelp("write a demand such as auc >= 0.75"))
			continue
		}
		if fold(e.Key.Text) == "severity" {
			if i := d.choice(e, "severity", "error", "warn"); i >= 0 {
				a.Severity = Severity(i)
			}
			continue
		}
		if !slices.Contains(metrics, fold(e.Key.Text)) {
			d.unknown("E0105", e.Key, "metric", metrics)
			continue
		}
		parts := e.Value.Items
		if e.Value.Kind != PhraseValue || len(parts) != 2 || parts[0].Value.Kind != OperatorValue ||
			!slices.Contains([]string{">=", ">", "<=", "<"}, parts[0].Value.Text) || parts[1].Value.Kind != NumberValue {
			d.r.add(diag.New("E0104", e.Span(), "%s needs a comparison with a number", e.Key.Text).
				WithHelp("write %s >= 0.75, or one of >, <=, <", e.Key.Text))
			continue
		}
		if f, ok := d.number(Entry{Key: e.Key, Value: parts[1].Value}); ok {
			a.Scores = append(a.Scores, Threshold{Metric: Metric(fold(e.Key.Text)), Op: parts[0].Value.Text, Value: f, Span: e.Span()})
		}
	}
	if len(args) == 0 {
		d.r.add(diag.New("E0106", v.Span, "holdout does not say which score is good enough").
			WithHelp("write holdout(auc >= 0.75)"))
	}
}
