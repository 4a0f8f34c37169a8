// Package render writes a selection of a recording in the formats of planflame report and planflame
// diff, but for the table, which package outcome draws. It computes nothing of its own: all figures
// are package columns'.
//
//	columns.Report ──▶ Markdown
//	columns.Model  ──▶ Collapsed, Speedscope, Dictionary
//	columns.Diff   ──▶ DiffText, DiffMarkdown
package render
