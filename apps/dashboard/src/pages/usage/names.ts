import { useMemo } from 'react';
import { useRoute } from '../../api/use-route';
import { shortId } from '../../format/id';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function useModelChoices(): readonly Choice[] {
  const { data } = useRoute('listModels', {});
  return useMemo(() => data?.data.map(({ id }) => ({ value: id, label: id })) ?? [], [data]);
}

/** Unknown names are ids. */
export function useKeyNames(): { readonly keys: readonly Choice[]; readonly keyName: (id: string) => string } {
  const { data } = useRoute('listKeys', {});
  return useMemo(() => {
    const names = new Map(data?.data.map(({ id, name, hint }) => [id, name ?? hint]));
    return { keys: [...names].map(([value, label]) => ({ value, label })), keyName: (id: string) => names.get(id) ?? shortId(id) };
  }, [data]);
}
