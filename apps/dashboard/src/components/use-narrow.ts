import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is narrow, as in the style sheets. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
}
