import { shortId } from '../format/id';
import { useHolder } from './holder-names';
import { TextLink } from './link';

/** Name of an account, with a link to its page for operators. */
export function AccountName({ id }: { readonly id: string }) {
  const holder = useHolder(id);
  if (holder === null) return <TextLink to="/operator/accounts/$id" params={{ id }} className="mono" title={id}>{shortId(id)}</TextLink>;
  return <TextLink to="/operator/accounts/$id" params={{ id }} title={`${holder.email} · ${id}`}><bdi>{holder.name}</bdi></TextLink>;
}
