import type { ReactNode } from 'react';
import { TextLink } from '../../components/link';
import { useNarrow } from '../../components/use-narrow';
import type { Scope, UsageSearch } from './usage-search';

interface RecordLinkProps {
  readonly scope: Scope;
  readonly requestId: string;
  readonly search: UsageSearch;
  readonly children: ReactNode;
}

/** Opens a record beside the list, and in a narrow window on its own page. */
export function RecordLink({ scope, requestId, search, children }: RecordLinkProps) {
  const narrow = useNarrow();
  const attributes = { className: 'mono', title: requestId, 'data-row-link': true, preload: false } as const;
  if (narrow) return <TextLink {...attributes} to={scope === 'own' ? '/usage/$requestId' : '/operator/usage/$requestId'} params={{ requestId }}>{children}</TextLink>;
  const beside = { ...search, record: requestId };
  return scope === 'own'
    ? <TextLink {...attributes} to="/usage" search={beside} replace>{children}</TextLink>
    : <TextLink {...attributes} to="/operator/usage" search={beside} replace>{children}</TextLink>;
}
