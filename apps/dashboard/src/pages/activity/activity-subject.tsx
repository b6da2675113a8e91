import { TextLink } from '../../components/link';

/** Links to its page, if there is one. The reader's own account and person are omitted. */
export function ActivitySubject({ id, keyName }: { readonly id: string; readonly keyName: (id: string) => string }) {
  if (!id.startsWith('key_')) return null;
  return <TextLink to="/keys/$id" params={{ id }} title={id}>{keyName(id)}</TextLink>;
}
