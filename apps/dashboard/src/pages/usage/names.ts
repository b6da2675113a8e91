import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { batched } from '../../api/batched';
import { call, type Reply } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { shortId } from '../../format/id';
import { useMe } from '../../session/person';
import type { Choice } from '../models/model-choices';
import { keyLabel } from './key-label';
import type { Scope } from './usage-search';

type KeyName = Reply<'nameKeys'>['data'][number];

/** The contract accepts at most this many ids per call. */
const MOST_IDS = 100;
const FRESH_FOR = 300_000;
const ROUTES = { own: 'nameKeys', all: 'nameAnyKeys' } as const;

function reader(scope: Scope) {
  return batched(async (ids) => (await call(ROUTES[scope], { query: { ids: ids.join(',') } })).data, MOST_IDS);
}

const READERS = { own: reader('own'), all: reader('all') };

/** The names that the gateway has returned. The result is shared structurally: it changes only with its contents. */
function found(results: readonly UseQueryResult<KeyName | null>[]): readonly KeyName[] {
  return results.flatMap(({ data }) => data ?? []);
}

/** Names of the keys with these ids, requested together; a shortened id until they are read, and for unknown keys. */
export function useKeyNames(ids: readonly (string | null | undefined)[], scope: Scope = 'own'): (id: string) => string {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined);
  const names = useQueries({
    queries: wanted.map((id) => ({ queryKey: [...keyOf(ROUTES[scope]), id], queryFn: () => READERS[scope](id), staleTime: FRESH_FOR })),
    combine: found,
  });
  return useMemo(() => {
    const labels = new Map(names.map((name) => [name.id, keyLabel(name)]));
    return (id: string) => labels.get(id) ?? shortId(id);
  }, [names]);
}

const SEARCH_DELAY = 200;

/** Keys to choose from whose name or hint contains the text, the playground's key first. For operators, the keys of one account or of all. */
export function useKeyChoices(text: string, scope: Scope, account?: string): readonly Choice[] {
  const [q] = useDebouncedValue(text.trim(), SEARCH_DELAY);
  const { playground_key_id: playground } = useMe();
  const own = useRoute('findKeys', { query: { q } }, { enabled: scope === 'own' }).data?.data;
  const any = useRoute('findAnyKeys', { query: { q, account } }, { enabled: scope === 'all' && (q !== '' || account !== undefined) }).data?.data;
  return useMemo(() => {
    const choices = (own ?? any ?? []).map((key) => ({ value: key.id, label: keyLabel(key) }));
    return playground === null || scope === 'all' ? choices : [{ value: playground, label: keyLabel({ name: null, hint: null }) }, ...choices];
  }, [own, any, playground, scope]);
}
