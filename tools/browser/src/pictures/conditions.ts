/** What the pages show. `further`: dialogs, drawers, and pages that are partly empty, failed or filled. */
export const CONDITIONS = ['usual', 'empty', 'large', 'long', 'rtl', 'error', 'loading', 'further'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A condition that has a gallery of its own. */
export type Setting = 'usual' | 'empty' | 'large' | 'long' | 'rtl';

/** Conditions that the usual gallery shows. */
export const CONDITIONS_OF_USUAL: readonly Condition[] = ['usual', 'error', 'loading', 'further'];

export function settingOf(condition: Condition): Setting {
  return condition === 'error' || condition === 'loading' || condition === 'further' ? 'usual' : condition;
}
