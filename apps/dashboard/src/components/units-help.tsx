import { ActionIcon } from '@mantine/core';
import { units as texts } from '#texts/units';
import { InfoIcon } from './icons';
import { explain } from './pointed-amount';

/** Opens the explanation of the units. */
export function UnitsHelp() {
  return <ActionIcon variant="subtle" color="gray" size={24} aria-label={texts.help} onClick={() => explain('units')}><InfoIcon /></ActionIcon>;
}
