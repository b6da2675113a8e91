/** Ids of the keys that were changed. */
export function keySubjects(entries: readonly { readonly subject: string }[]): readonly string[] {
  return entries.map(({ subject }) => subject).filter((subject) => subject.startsWith('key_'));
}
