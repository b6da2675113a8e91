import { useMediaQuery } from '@mantine/hooks';

/** Breakpoint of the style sheets. */
export const NARROW = '48em';

/** True up to that width of the window. */
export function useNarrow(width = NARROW): boolean {
  return useMediaQuery(`(max-width: ${width})`, undefined, { getInitialValueInEffect: false });
}
