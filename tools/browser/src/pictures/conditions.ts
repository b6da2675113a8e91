/** Contents of the pages in a picture. `further` are dialogs, drawers, and pages that are partly empty, failed or filled. */
export const CONDITIONS = ['usual', 'empty', 'large', 'long', 'rtl', 'error', 'loading', 'further'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** The conditions that need a gallery of their own. */
export type Setting = 'usual' | 'empty' | 'large' | 'long' | 'rtl';

/** The conditions that pages of the usual gallery can have. */
export const CONDITIONS_OF_USUAL: readonly Condition[] = ['usual', 'error', 'loading', 'further'];

export function settingOf(condition: Condition): Setting {
  return condition === 'error' || condition === 'loading' || condition === 'further' ? 'usual' : condition;
}
