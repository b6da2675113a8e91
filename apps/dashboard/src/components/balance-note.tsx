import { balance as texts } from '#texts/balance';
import { useRoute } from '../api/use-route';
import { useMe } from '../session/person';
import { balanceState, isLow } from './balance-state';
import { CreditLine } from './credit-line';
import { ButtonLink } from './link';
import { Note } from './note';

/** Shown on every page while the balance cannot pay for a usual request, or soon cannot. */
export function BalanceNote() {
  const { account: { standing }, usual_request: usual, settings: { credit_line: creditLine } } = useMe();
  const { data } = useRoute('overview', {}, { enabled: isLow(usual) });
  const { data: models } = useRoute('listModels', {}, { enabled: isLow(usual) });
  const state = balanceState(usual, data?.runs_out_in_days ?? null);
  // Requests of an account that is not in good standing are refused for that reason, about which there is another note.
  if (state === 'enough' || usual === null || standing !== 'good') return null;
  const isRefused = state === 'refused';
  const model = models?.data.find(({ id }) => id === usual.model)?.display_name ?? usual.model;
  return (
    <Note kind={isRefused ? 'bad' : 'warning'} action={<ButtonLink to="/billing" size="xs" variant="default">{texts.addCredit}</ButtonLink>}>
      <strong>{isRefused ? texts.refused : texts.soon(state.refusedInDays)}</strong> {texts.why({ ...usual, model })} {creditLine !== null && <CreditLine line={creditLine} />}
    </Note>
  );
}
