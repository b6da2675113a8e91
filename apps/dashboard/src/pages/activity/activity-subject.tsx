import { activity as texts } from '#texts/activity';
import { TextLink } from '../../components/link';
import { shortId } from '../../format/id';
import { useMe } from '../../session/person';

/** Names of keys by id. */
export type KeyNames = ReadonlyMap<string, string>;

/** Links to its page, if there is one. The reader's own account and person are omitted. */
export function ActivitySubject({ id, names }: { readonly id: string; readonly names: KeyNames }) {
  const { playground_key_id: playground } = useMe();
  if (!id.startsWith('key_')) return null;
  if (id === playground) return <TextLink to="/playground">{texts.playground}</TextLink>;
  const name = names.get(id);
  return <TextLink to="/keys/$id" params={{ id }} title={id}>{name === undefined ? <span className="mono">{shortId(id)}</span> : texts.keyNamed(name)}</TextLink>;
}
