/** The known words of an action; otherwise words from its name: `person.passkey-added` becomes "Person: passkey added". */
export function actionText(action: string, known: Readonly<Record<string, string>>): string {
  const text = known[action];
  if (text !== undefined) return text;
  const words = action.replace('.', ': ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
