import { playgroundKey } from '#texts/key-names';
import { isolated } from '../../format/isolated';

export interface KeyLabel {
  readonly name: string | null;
  /** `null` for the key of the playground. */
  readonly hint: string | null;
}

const ENDING = 4;
/** Its name and the last four characters, which tell keys of one name apart. */
export function keyLabel({ name, hint }: KeyLabel): string {
  if (hint === null) return playgroundKey.name;
  return name === null ? hint : `${isolated(name)} …${hint.slice(-ENDING)}`;
}
