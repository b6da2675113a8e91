import { useMediaQuery } from '@mantine/hooks';

/** Breakpoint of the style sheets. */
export const NARROW = '48em';

/** True if the window is at most this wide. */
export function useNarrow(width = NARROW): boolean {
  return useMediaQuery(`(max-width: ${width})`, undefined, { getInitialValueInEffect: false });
}
