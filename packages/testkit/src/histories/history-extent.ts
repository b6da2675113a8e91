/** How many histories are played, by the environment, which `npm run histories` sets from its options. */
export interface HistoryExtent {
  readonly histories: number;
  readonly seed: number;
  /** Time for all of them; what is not played by then is left out, and said so. */
  readonly minutes: number;
  /** Whether a person is watching, or a test run that wants no words. */
  readonly progress: 'shown' | 'silent';
}

export type HistorySubject = 'memory' | 'sqlite' | 'postgres' | 'limits';

const USUAL_SEED = 20_261_121;
const USUAL_MINUTES = 2;

function numberOf(name: string, otherwise: number): number {
  const value = process.env[name];
  return value === undefined || value === '' ? otherwise : Number(value);
}

/** The number given, unless the environment asks for another. */
export function historyExtent(subject: HistorySubject, histories: number): HistoryExtent {
  return {
    histories: numberOf(`HISTORIES_${subject.toUpperCase()}`, histories),
    seed: numberOf('HISTORIES_SEED', USUAL_SEED),
    minutes: numberOf('HISTORIES_MINUTES', USUAL_MINUTES),
    progress: process.env['HISTORIES_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}
