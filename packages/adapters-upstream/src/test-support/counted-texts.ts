/** Texts with the number of tokens that a vocabulary of 200,000 entries (o200k) makes of them. */
export interface CountedText {
  readonly name: string;
  readonly tokens: number;
  readonly text: string;
}

export const COUNTED_TEXTS: readonly CountedText[] = [
  {
    name: 'English prose', tokens: 94,
    text: 'The harbour was quiet in the early morning. A few boats moved slowly towards the open sea, and the smell of bread drifted over from the bakery on the corner. Nobody spoke much; there would be time enough for talk when the nets were dry and the fish had been sold. Later in the day the market filled with people who had come from the villages along the coast to buy vegetables, cloth and tools, and to hear what had happened since the week before.',
  },
  {
    name: 'TypeScript', tokens: 102,
    text: 'export function findLongest(words: readonly string[]): string | null {\n  let longest: string | null = null;\n  for (const word of words) {\n    if (longest === null || word.length > longest.length) {\n      longest = word;\n    }\n  }\n  return longest;\n}\n\nconst result = findLongest([\'one\', \'three\', \'seventeen\']);\nconsole.log(`The longest word is ${result ?? \'none\'}, out of ${3 + 4 * 100} letters.`);\n',
  },
  {
    name: 'Python', tokens: 121,
    text: 'import json\nfrom pathlib import Path\n\n\nclass Inventory:\n    """Keeps how many of each item there are."""\n\n    def __init__(self, path: Path) -> None:\n        self.path = path\n        self.items = {}\n\n    def load(self) -> None:\n        with self.path.open(encoding="utf-8") as handle:\n            self.items = json.load(handle)\n\n    def add(self, name: str, count: int = 1) -> int:\n        self.items[name] = self.items.get(name, 0) + count\n        return self.items[name]\n',
  },
  {
    name: 'JSON', tokens: 112,
    text: '{\n  "id": "order-20418",\n  "customer": { "name": "Ada", "city": "Turin", "active": true },\n  "lines": [\n    { "sku": "A-100", "quantity": 3, "price": 12.5 },\n    { "sku": "B-275", "quantity": 1, "price": 199.99 }\n  ],\n  "total": 237.49,\n  "currency": "EUR",\n  "notes": null\n}\n',
  },
  {
    name: 'Chinese', tokens: 96,
    text: '今天早上下了一场小雨，空气很清新。我在公园里散步的时候，看见几位老人正在打太极拳，还有一些孩子在湖边喂鱼。中午我和同事一起去了一家新开的餐馆，点了三个菜和一碗汤，味道都很不错。下午我们开会讨论了下个月的工作计划，决定先解决用户反馈最多的问题，然后再开发新的功能。',
  },
  {
    name: 'Japanese', tokens: 86,
    text: '朝早く起きて、近くの川まで散歩に行きました。空は青く、風も気持ちよくて、とても静かでした。帰り道に小さなパン屋さんに寄って、焼きたてのパンを買いました。午後は図書館で本を読みながら、ゆっくり過ごすつもりです。',
  },
  {
    name: 'Russian', tokens: 60,
    text: 'Рано утром мы вышли из дома и отправились на вокзал. Поезд опоздал на двадцать минут, поэтому мы успели выпить кофе и поговорить о планах на неделю. В городе нас встретил старый друг, который показал нам музей и набережную.',
  },
  {
    name: 'German', tokens: 52,
    text: 'Am Abend saßen wir noch lange am Tisch und erzählten von der Reise. Draußen regnete es, und im Ofen brannte ein kleines Feuer. Am nächsten Tag wollten wir früh aufstehen, um den ersten Zug in die Berge zu nehmen.',
  },
  {
    name: 'Markdown', tokens: 106,
    text: '# Setting up\n\n1. Install the tools with `npm install`.\n2. Copy `.env.example` to `.env` and fill in the values.\n3. Run `npm start`; the address is printed when it is ready.\n\n| Setting | Default | Meaning |\n|---|---|---|\n| `PORT` | 8080 | Where it listens. |\n| `LOG_LEVEL` | info | How much is logged. |\n\n> **Note:** see [the guide](docs/guide.md) for more.\n',
  },
];
