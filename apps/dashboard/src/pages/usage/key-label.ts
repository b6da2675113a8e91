import { playgroundKey } from '#texts/key-names';

export interface KeyLabel {
  readonly name: string | null;
  /** `null` for the key of the playground. */
  readonly hint: string | null;
}

const ENDING = 4;
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];
/** Hebrew, Arabic, and the scripts between. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** So that what follows a name from right to left stays behind it. */
function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END_OF_ISOLATE}` : name;
}

/** Its name and the last four characters, which tell keys of one name apart. */
export function keyLabel({ name, hint }: KeyLabel): string {
  if (hint === null) return playgroundKey.name;
  return name === null ? hint : `${isolated(name)} …${hint.slice(-ENDING)}`;
}
