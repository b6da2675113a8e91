import { TextLink } from '../../components/link';

/** Links a changed key to its page. Renders nothing for other subjects: the reader's own account and person. */
export function ActivitySubject({ id, keyName }: { readonly id: string; readonly keyName: (id: string) => string }) {
  if (!id.startsWith('key_')) return null;
  return <TextLink to="/keys/$id" params={{ id }} title={id}>{keyName(id)}</TextLink>;
}
