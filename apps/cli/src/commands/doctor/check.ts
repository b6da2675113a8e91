/** How something that the gateway needs is. A `warning` works, but deserves a look. */
export type CheckState = 'ok' | 'warning' | 'problem';

export interface Check {
  readonly name: string;
  readonly state: CheckState;
  /** What was found, and what to mend where something is to be mended. */
  readonly finding: string;
}

export function ok(name: string, finding: string): Check {
  return { name, state: 'ok', finding };
}

export function warning(name: string, finding: string): Check {
  return { name, state: 'warning', finding };
}

export function problem(name: string, finding: string): Check {
  return { name, state: 'problem', finding };
}
