/**
 * Lines of the log of GitHub Actions, in which nothing is a workflow command: the runner takes one from `::` at the start
 * of a line, behind blanks, and from `##[` anywhere in it. Text from a session would speak for the workflow otherwise. To
 * be called last, with what is written: what is taken out of a text later could put the two halves of a mark together.
 */
export function harmlessInLog(lines: string): string {
  return lines.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')
}

/** The same JSON with no `##[` in it. It has that only inside of strings, and begins with no colon. */
export function harmlessJsonInLog(json: string): string {
  return json.replaceAll('##[', '#\\u0023[')
}
