interface Case {
  readonly name: string;
}

/** Runs all cases concurrently, because they mostly wait. Throws the failures together, each with its case. */
export async function atTheSameTime<C extends Case>(cases: readonly C[], test: (each: C) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(cases.map((each) => test(each)));
  const failures = results.flatMap((result, place) => (
    result.status === 'rejected' ? [`${cases[place]?.name ?? ''}: ${result.reason instanceof Object && 'stack' in result.reason ? String(result.reason.stack) : String(result.reason)}`] : []));
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}
