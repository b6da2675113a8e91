import { NativeSelect } from '@mantine/core';
import { usage } from '#texts/usage';
import { groupsOf, type Group, type Scope } from './usage-search';

interface GroupSelectProps {
  readonly scope: Scope;
  readonly value: Group;
  readonly onChange: (group: string) => void;
}

/** What the charges of a period are divided by. */
export function GroupSelect({ scope, value, onChange }: GroupSelectProps) {
  const data = groupsOf(scope).map((group) => ({ value: group, label: usage.chart.groups[group] }));
  return <NativeSelect size="xs" aria-label={usage.chart.groupBy} data={data} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
}
