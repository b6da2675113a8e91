import { useModelNames } from './model-names';

/** The name of a model, with its id on hover. */
export function ModelLabel({ id }: { readonly id: string }) {
  const name = useModelNames()(id);
  return <span title={name === id ? id : `${name} (${id})`}>{name}</span>;
}

/** The name of a model, and its id if that differs. */
export function WholeModelLabel({ id }: { readonly id: string }) {
  const name = useModelNames()(id);
  return name === id ? <>{id}</> : <>{name} <span className="mono muted">{id}</span></>;
}
