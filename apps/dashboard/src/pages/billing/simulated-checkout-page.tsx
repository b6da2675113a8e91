import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { checkout as texts } from '#texts/payments';
import { hasCode } from '../../api/api-error';
import { call, type Reply, type RequestBody } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { FormProblem } from '../../components/form-problem';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { priceOf } from '../../format/price-of';
import { NotFoundPage } from '../../shell/not-found-page';
import classes from './billing.module.css';

type Checkout = Reply<'readSimulatedCheckout'>;
type Act = RequestBody<'actInSimulatedCheckout'>['act'];

const HEIGHT = 200;

type Stage = 'open' | 'paid-late' | 'paid' | 'failed' | 'expired' | 'disputed' | 'dispute-won' | 'dispute-lost';

/** Acts that are possible in each stage, the usual one first. */
const ACTS: Readonly<Partial<Record<Stage, readonly Act[]>>> = {
  open: ['pay', 'pay-declines-later', 'pay-asks-later', 'decline', 'pay-late', 'dispute'], paid: ['dispute'], disputed: ['win-dispute', 'lose-dispute'],
};

function stageOf({ status, dispute, pays_at: paysAt }: Checkout): Stage {
  if (dispute !== null) return dispute === 'open' ? 'disputed' : `dispute-${dispute}`;
  return status === 'open' && paysAt !== null ? 'paid-late' : status;
}

function Choices({ checkout }: { readonly checkout: Checkout }) {
  const { reference, return_url: returnUrl, cancel_url: cancelUrl } = checkout;
  const stage = stageOf(checkout);
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (chosen: Act) => call('actInSimulatedCheckout', { params: { reference }, body: { act: chosen } }),
    onSuccess: (changed, chosen) => {
      client.setQueryData(keyOf('readSimulatedCheckout', { params: { reference } }), changed);
      if (chosen.startsWith('pay') && chosen !== 'pay-late') window.location.assign(changed.return_url);
    },
  });
  const isOpen = stage === 'open';
  return (
    <>
      <FormProblem error={act.error} />
      <div className={classes['acts']}>
        {(ACTS[stage] ?? []).map((chosen, index) => (
          <Button key={chosen} variant={isOpen && index === 0 ? 'filled' : 'default'} disabled={act.isPending} loading={act.isPending && act.variables === chosen} onClick={() => act.mutate(chosen)}>{texts.acts[chosen]}</Button>
        ))}
      </div>
      <a href={isOpen ? cancelUrl : returnUrl}>{isOpen ? texts.cancel : texts.goOn}</a>
    </>
  );
}

export function SimulatedCheckoutPage() {
  const { id } = useParams({ from: '/shell/simulated-checkout/$id' });
  const query = useRoute('readSimulatedCheckout', { params: { reference: id } });
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  return (
    <Page title={texts.title}>
      <Note kind="warning">{texts.note}</Note>
      <Part query={query} height={HEIGHT}>
        {(checkout) => (
          <Card title={checkout.description}>
            {checkout.details !== null && <p className="muted">{checkout.details}</p>}
            <p className={classes['due']}>{texts.pays(priceOf(checkout))}</p>
            <p className="muted" aria-live="polite">{texts.states[stageOf(checkout)]}</p>
            <Choices checkout={checkout} />
          </Card>
        )}
      </Part>
    </Page>
  );
}
