export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface NamedModel {
  readonly id: string;
  readonly display_name: string;
}

/** Returns the display name for an id. Models that share a name are named by their ids. */
export function modelNamer(models: readonly NamedModel[]): (id: string) => string {
  const uses = new Map<string, number>();
  for (const { display_name: name } of models) uses.set(name, (uses.get(name) ?? 0) + 1);
  const names = new Map(models.map(({ id, display_name: name }) => [id, uses.get(name) === 1 ? name : id]));
  return (id) => names.get(id) ?? id;
}

export function modelChoices(models: readonly NamedModel[]): readonly Choice[] {
  const nameOf = modelNamer(models);
  return models.map(({ id }) => ({ value: id, label: nameOf(id) }));
}

/** True if the name or the id contains the text, ignoring case. */
export function isFound({ value, label }: Choice, text: string): boolean {
  const part = text.trim().toLocaleLowerCase();
  return [label, value].some((word) => word.toLocaleLowerCase().includes(part));
}
