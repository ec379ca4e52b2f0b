package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// variables are values of a project's variables from the command line: name=value, or a JSON object as SQLBuild takes it. Later ones
// win. It implements the Value of a flag.
type variables map[string]string

// String implements the Value of a flag.
func (v *variables) String() string { return "" }

// Type implements the Value of a flag.
func (v *variables) Type() string { return "name=value" }

// Set implements the Value of a flag.
func (v *variables) Set(text string) error {
	if *v == nil {
		*v = variables{}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return v.setJSON(text)
	}
	name, value, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return errors.New("write name=value, or a JSON object")
	}
	(*v)[name] = value
	return nil
}

func (v *variables) setJSON(text string) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber() // a number is written as it was
	var object map[string]any
	if err := d.Decode(&object); err != nil || d.More() {
		return fmt.Errorf("%s is not a JSON object", text)
	}
	for name, value := range object {
		switch value := value.(type) {
		case string:
			(*v)[name] = value
		case json.Number:
			(*v)[name] = value.String()
		case bool:
			(*v)[name] = fmt.Sprint(value)
		default:
			return fmt.Errorf("%s is neither a text, a number nor a truth", name)
		}
	}
	return nil
}
