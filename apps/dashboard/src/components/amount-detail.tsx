import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { units as texts } from '#texts/units';
import { useRoute } from '../api/use-route';
import { dollars, exactAmount } from '../format/amount';
import classes from './amount.module.css';
import { CopyButton } from './copy-button';
import { Dialog } from './dialog';
import { TextLink } from './link';
import { closeExplanation, type ExactAmount, hideDetail, keepDetail, pointAway, useShownAmount } from './pointed-amount';

const GAP = 6;
const MARGIN = 8;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** Places the detail below the amount, or above it if there is no room below. */
function placeOf(anchor: HTMLElement, detail: HTMLElement): Place {
  const [around, { width, height }] = [anchor.getBoundingClientRect(), detail.getBoundingClientRect()];
  const below = around.bottom + GAP;
  return {
    left: Math.max(MARGIN, Math.min(around.left, document.documentElement.clientWidth - width - MARGIN)),
    top: below + height > window.innerHeight && around.top > height + GAP ? around.top - GAP - height : below,
  };
}

function Exact({ tokens, usd }: ExactAmount) {
  return (
    <>
      {usd !== null && <div className="num"><strong>{dollars(usd)}</strong> {texts.exactly}</div>}
      {tokens !== null && <div className="num">{exactAmount(tokens)} {texts.tokens}</div>}
      <div className="muted">{texts.hint}</div>
    </>
  );
}

/** Hidden from screen readers, because the label of the amount states both units. */
function Detail({ anchor, tokens, usd }: ExactAmount & { readonly anchor: HTMLElement }) {
  const detail = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>({ left: 0, top: 0 });
  useLayoutEffect(() => { if (detail.current !== null) setPlace(placeOf(anchor, detail.current)); }, [anchor]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => { if (key === 'Escape') hideDetail(); };
    document.addEventListener('keydown', onKey);
    window.addEventListener('scroll', hideDetail, { capture: true, passive: true });
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', hideDetail, { capture: true });
    };
  }, []);
  return <div ref={detail} role="tooltip" aria-hidden="true" className={classes['detail']} style={place} onPointerEnter={keepDetail} onPointerLeave={pointAway}><Exact tokens={tokens} usd={usd} /></div>;
}

function ExactToCopy({ tokens, usd }: ExactAmount) {
  return (
    <div className={classes['exact']}>
      {usd !== null && <><strong className="num">{dollars(usd)}</strong><CopyButton text={usd} label={texts.copyDollars} /></>}
      {tokens !== null && <><span className="num">{exactAmount(tokens)} {texts.tokens}</span><CopyButton text={tokens} label={texts.copyTokens} /></>}
    </div>
  );
}

function Units() {
  const rate = useRoute('account', {}).data?.balance.usd_per_service_token;
  return (
    <dl className={classes['units']}>
      <dt>{texts.dollars.name}</dt><dd>{texts.dollars.meaning}</dd>
      <dt>{texts.ofAccount.name}</dt><dd>{rate === undefined ? '' : texts.ofAccount.worth(dollars(rate))} {texts.ofAccount.meaning}</dd>
      <dt>{texts.ofModels.name}</dt><dd>{texts.ofModels.meaning} <TextLink to="/models" onClick={closeExplanation}>{texts.prices}</TextLink></dd>
    </dl>
  );
}

/** The detail beside an amount, and the explanation of the units. Loaded when one of them is first shown. */
export default function AmountDetail() {
  const { pointed, explained } = useShownAmount();
  return (
    <>
      {pointed !== null && pointed.anchor.isConnected && <Detail key={`${pointed.usd ?? ''} ${pointed.tokens ?? ''}`} {...pointed} />}
      {explained !== null && <Dialog opened title={texts.title} onClose={closeExplanation}>{explained !== 'units' && <ExactToCopy {...explained} />}<Units /></Dialog>}
    </>
  );
}
