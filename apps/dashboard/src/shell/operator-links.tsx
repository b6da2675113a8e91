import { OPERATOR_GROUPS } from './operator-pages';
import { PageLinks } from './page-links';

/** Loaded by operators alone. */
export default function OperatorLinks({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  return <PageLinks groups={OPERATOR_GROUPS} onChosen={onChosen} />;
}
