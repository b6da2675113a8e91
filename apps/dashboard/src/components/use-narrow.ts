import { useMediaQuery } from '@mantine/hooks';

/** True below the breakpoint of the style sheets. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
}
