package bench

// The driver's values come as any: these read them with the zero value for what is absent.

func text(v any) string {
	s, _ := v.(string)
	return s
}

func integer(v any) int {
	n, _ := v.(int64)
	return int(n)
}

func number(v any) *int {
	if n, ok := v.(int64); ok {
		i := int(n)
		return &i
	}
	return nil
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
