package predict

import (
	"errors"
	"fmt"

	"github.com/norn-data/norn/internal/diag"
)

// badOption is the code of options that mean nothing.
const badOption = "E1622"

// A Problem is something wrong with a table, a column, or an option: what the caller can mend. Find it with errors.As.
type Problem struct {
	Code    string // stable; norn explain CODE has its page, with a wrong and a right example
	Message string // one sentence, which names the column and the row
	Help    string // the next step; it may speak of a flag of the command line, which has the name of the option
}

func (p *Problem) Error() string { return p.Code + " " + p.Message }

// told turns norn's own trouble into what this package promises. All problems of a table are found together, and joined.
func told(err error) error {
	if problems, ok := errors.AsType[diag.Problems](err); ok {
		list := make([]error, len(problems))
		for i, p := range problems {
			list[i] = &Problem{p.Code, p.Message, p.Help}
		}
		if len(list) == 1 {
			return list[0]
		}
		return errors.Join(list...)
	}
	if p, ok := errors.AsType[*diag.Problem](err); ok {
		return &Problem{p.Code, p.Message, p.Help}
	}
	if hint := diag.Hint(err); hint != "" {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}
