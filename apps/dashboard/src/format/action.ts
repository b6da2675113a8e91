/** Known words, otherwise derived: `person.passkey-added` becomes "Person: passkey added". */
export function actionText(action: string, known: Readonly<Record<string, string>>): string {
  const text = known[action];
  if (text !== undefined) return text;
  const words = action.replace('.', ': ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
