import { useMediaQuery } from '@mantine/hooks';

/** By the style sheets' breakpoint. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
}
