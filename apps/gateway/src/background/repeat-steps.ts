/** Each step is a short transaction, so that requests run between two steps. */
const STEPS_PER_TURN = 20;

/** Repeats the step until it returns 0, at most `STEPS_PER_TURN` times. False if there may be more to do. */
export async function repeatSteps(step: () => Promise<number>): Promise<boolean> {
  for (let steps = 0; steps < STEPS_PER_TURN; steps += 1) if (await step() === 0) return true;
  return false;
}
