/** Number of random cases of a property: `usual`, multiplied by `FIDELITY_FACTOR`. */
export function runsOf(usual: number): number {
  return usual * Number(process.env['FIDELITY_FACTOR'] ?? 1);
}
