import { models as texts } from '#texts/models';
import { Note } from '../../components/note';
import { utcDay } from '../../format/instant';
import { changedClassesOf, type Model, nextPriceOf, priceOf } from './model-facts';

function linesOf(model: Model): readonly string[] {
  const { id, next_price: next, shutdown_date: end, successor } = model;
  return [
    ...(next === null ? [] : [texts.nextPrice(id, utcDay(next.from), changedClassesOf(model, next).map((tokenClass) =>
      texts.change(texts.classes[tokenClass], nextPriceOf(model, next, tokenClass), priceOf(model, tokenClass))))]),
    ...(end === null ? [] : [successor === null ? texts.ends(id, end) : texts.endsFor(id, end, successor)]),
  ];
}

/** Announces new prices, and models that will end. */
export function Announcements({ models }: { readonly models: readonly Model[] }) {
  const lines = models.filter(({ in_plan: inPlan }) => inPlan).flatMap(linesOf);
  if (lines.length === 0) return null;
  return <Note kind="info">{lines.map((line) => <div key={line}>{line}</div>)}</Note>;
}
