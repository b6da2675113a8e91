import { NativeSelect } from '@mantine/core';
import { usage } from '#texts/usage';
import { groupsOf, type Group, type Scope, type UsageSearch } from './usage-search';

interface GroupSelectProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly value: Group;
  readonly onChange: (group: string) => void;
}

export function GroupSelect({ scope, search, value, onChange }: GroupSelectProps) {
  const data = groupsOf(search, scope).map((group) => ({ value: group, label: usage.chart.groups[group] }));
  return <NativeSelect size="xs" aria-label={usage.chart.groupBy} data={data} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
}
