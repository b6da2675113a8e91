/** How many random cases a property is tried with: those of every test run, times `FIDELITY_FACTOR`. */
export function runsOf(usual: number): number {
  return usual * Number(process.env['FIDELITY_FACTOR'] ?? 1);
}
