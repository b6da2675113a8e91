import { activity as texts } from '#texts/activity';
import { TextLink } from '../../components/link';
import { shortId } from '../../format/id';
import { useMe } from '../../session/person';

/** Names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

/** What an act was about, with a link where it has a page. The account and its person are the reader's own, so they are not named. */
export function ActivitySubject({ id, names }: { readonly id: string; readonly names: KeyNames }) {
  const { playground_key_id: playground } = useMe();
  if (!id.startsWith('key_')) return null;
  if (id === playground) return <TextLink to="/playground">{texts.playground}</TextLink>;
  const name = names.get(id);
  return <TextLink to="/keys/$id" params={{ id }} title={id}>{name === undefined ? <span className="mono">{shortId(id)}</span> : texts.keyNamed(name)}</TextLink>;
}
