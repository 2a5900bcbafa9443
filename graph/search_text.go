package graph

import (
	"strings"
	"unicode"
)

// Bounds of what is indexed of one asset. Names come first in the text, so that a long description
// never pushes them out; the index itself refuses terms of 32 KiB and more.
const (
	maxSearchText = 32 << 10 // bytes
	maxSearchWord = 200      // bytes
)

// searchText is what the full-text index holds of an asset: lower-case words with one space between
// them, each once. The words are those of the name, of its columns, descriptions and tags, and the
// whole last part of the name, so that `dim_customers` is found as it is written.
func searchText(name string, columns, descriptions, tags []string) string {
	t := wordSet{seen: map[string]bool{}}
	t.add(strings.ToLower(lastNamePart(name)))
	t.addAll(searchWords(name))
	for _, group := range [][]string{columns, tags, descriptions} {
		for _, s := range group {
			t.addAll(searchWords(s))
		}
	}
	return t.text.String()
}

// wordSet gathers words in the order in which they first came.
type wordSet struct {
	seen map[string]bool
	text strings.Builder
}

func (t *wordSet) addAll(words []string) {
	for _, w := range words {
		t.add(w)
	}
}

func (t *wordSet) add(word string) {
	// A space in a quoted name would make two words of one that is meant whole.
	if word == "" || t.seen[word] || len(word) > maxSearchWord || strings.ContainsFunc(word, unicode.IsSpace) ||
		t.text.Len()+len(word) >= maxSearchText {
		return
	}
	t.seen[word] = true
	if t.text.Len() > 0 {
		t.text.WriteByte(' ')
	}
	t.text.WriteString(word)
}

// lastNamePart is what follows the last separator of a qualified name or a path.
func lastNamePart(name string) string {
	separator := "."
	if strings.Contains(name, "/") { // of a path the dot starts the file's extension
		separator = "/"
	}
	name = strings.TrimRight(name, separator)
	return name[strings.LastIndex(name, separator)+1:]
}

// searchWords splits text into lower-case words at whatever is no letter or digit, and where camelCase
// starts a new one: `OrderItems` and `HTTPStatus` are two words each.
func searchWords(s string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			end()
			continue
		}
		if startsWord(runes, i) {
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// startsWord reports whether a capital at i begins a word: behind a small letter, or before one.
func startsWord(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	return unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
}
