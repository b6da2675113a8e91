/** Number of random cases per property: that of every test run, times `FIDELITY_FACTOR`. */
export function runsOf(usual: number): number {
  return usual * Number(process.env['FIDELITY_FACTOR'] ?? 1);
}
