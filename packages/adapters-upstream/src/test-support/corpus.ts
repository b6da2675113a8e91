import { SeededRandom } from '@tollgate/testkit';
import { GENERATED_KINDS } from './generated-kinds.js';

/** Prose by language; not used for fitting the weights. */
const PASSAGES: Readonly<Record<string, string>> = {
  english: 'Could you look over the attached lease before Friday? The landlord wants to raise the deposit to three months, and the clause about repairs reads as though we would have to pay for the boiler ourselves. I would rather not sign until somebody who knows about these things has seen it. If you think it is reasonable, tell me; if not, suggest a friendlier wording that I can send back to him.',
  'english, technical': 'When a worker restarts, it replays the journal from the last checkpoint and skips entries whose sequence number is at or below the one it stored. Because the checkpoint is written after the effect, an entry may be applied twice; handlers therefore have to be idempotent. We measured a median recovery time of 1.8 s for a journal of 40,000 entries, most of which was spent deserialising.',
  'english, chat': 'ok so i tried turning it off and on again lol, still nothing. the light blinks twice then goes red?? my roommate says its the router but netflix works fine on her laptop so idk. any ideas before i call them and wait an hour on hold again',
  french: 'Bonjour, je cherche une recette de tarte aux pommes pour huit personnes, sans beurre parce que ma belle-sœur ne le supporte pas. Pourriez-vous aussi m’indiquer combien de temps il faut la laisser refroidir avant de la découper ? J’aimerais la préparer la veille et l’emporter en train, donc il faudrait qu’elle se tienne bien.',
  german: 'Unsere Heizung fällt seit Dienstag immer wieder aus, obwohl der Techniker das Ventil erst letzte Woche ausgetauscht hat. Könnten Sie bitte einen Termin für die nächsten Tage vorschlagen? Außerdem bitte ich um eine Kostenaufstellung, denn laut Mietvertrag übernimmt die Hausverwaltung Reparaturen bis zu einer Höhe von zweihundert Euro.',
  spanish: 'Necesito preparar una presentación sobre el consumo de agua en las ciudades del sur. Tengo las cifras de los últimos diez años, pero no sé cómo ordenarlas para que se entienda por qué bajó el gasto en 2019. ¿Podrías proponerme un esquema de cinco diapositivas, con un título breve para cada una y dos ideas principales?',
  italian: 'Domani pomeriggio devo accompagnare mio nonno dal medico e vorrei scrivere prima un elenco delle domande da fare. Prende tre medicine diverse, dorme poco e ultimamente dimentica dove mette gli occhiali. Mi aiuti a formulare le domande in modo semplice, così che possa leggerle anche lui senza preoccuparsi troppo?',
  portuguese: 'Estamos organizando a festa junina da escola e precisamos dividir as tarefas entre doze famílias. Algumas só podem ajudar de manhã, outras só depois das seis. Faça uma tabela com as barracas, os horários e quem fica responsável por cada coisa, deixando sempre duas pessoas juntas na cozinha.',
  dutch: 'De fiets die ik vorige maand bij jullie heb gekocht, maakt sinds gisteren een vreemd geluid zodra ik harder trap. De ketting heb ik al gesmeerd en het wiel zit goed vast. Kan ik zaterdagochtend even langskomen, of moet ik daarvoor een afspraak maken? Ik heb hem maandag weer nodig om naar mijn werk te gaan.',
  swedish: 'Vi funderar på att bygga om förrådet till ett litet kontor, men vi är osäkra på om det krävs bygglov. Huset ligger nära sjön och har inga grannar på den sidan. Kan du förklara vilka regler som brukar gälla och vad vi bör fråga kommunen om innan vi börjar riva väggen?',
  norwegian: 'Jeg har fått tilbud om en ny jobb i Bergen, men lurer på om jeg bør si ja. Lønnen er litt høyere, men reisen tar nesten en time hver vei og barna trives godt på skolen her. Hjelp meg å lage en liste over fordeler og ulemper som jeg kan snakke gjennom med mannen min i kveld.',
  danish: 'Min datter skal holde oplæg om vikingernes skibe, og hun har kun fem minutter. Hun ved en masse om sejl og ror, men har svært ved at gøre det kort. Skriv et udkast, der begynder med et spørgsmål til klassen og slutter med noget, de kan huske bagefter.',
  finnish: 'Kesämökin katto vuotaa uudestaan, vaikka se korjattiin vasta viime syksynä. Vesi tulee savupiipun vierestä aina, kun tuulee lännestä. Voisitko neuvoa, mitä kannattaa tarkistaa ensin ja milloin on syytä kutsua ammattilainen paikalle? Tikkaat löytyvät vajasta, mutta yksin en halua kiivetä.',
  polish: 'Zgubiłem wczoraj w pociągu czarny plecak z dokumentami i kluczami do mieszkania. Jechałem z Krakowa do Gdańska, wagon piąty, miejsce przy oknie. Proszę o pomoc w napisaniu zgłoszenia do biura rzeczy znalezionych, tak żeby było krótkie, grzeczne i zawierało wszystkie potrzebne szczegóły.',
  czech: 'Chtěla bych svému synovi vysvětlit, proč je v zimě kratší den než v létě, ale tak, aby to pochopil i sedmiletý kluk. Můžeš použít příklad s lampičkou a míčem? Neměl by v tom být žádný složitý výraz a na konci bych ráda měla otázku, nad kterou může přemýšlet před spaním.',
  slovak: 'Minulý týždeň sme sa presťahovali do nového bytu a ešte stále nevieme, kam dať všetky knihy. Obývačka je malá, chodba tmavá a v spálni už stojí skriňa po starej mame. Poraď nám, prosím, ako ich roztriediť a ktoré by sme mohli darovať mestskej knižnici.',
  hungarian: 'A szomszédunk kutyája minden reggel hatkor ugatni kezd, és a kisbabánk ilyenkor felébred. Nem szeretnék veszekedni, mert egyébként nagyon kedves emberek. Segíts megfogalmazni egy rövid, barátságos levelet, amelyben megkérem őket, hogy valahogy oldják meg ezt a gondot.',
  romanian: 'Vreau să plantez câteva legume pe balcon, dar am soare doar dimineața, până pe la unsprezece. Ce soiuri ar rezista și cât de des trebuie udate? Am trei jardiniere lungi de un metru și niște pământ rămas de anul trecut, despre care nu știu dacă mai este bun.',
  turkish: 'Gelecek hafta annemlerin evlilik yıldönümü var ve onlara küçük bir sürpriz hazırlamak istiyoruz. Kardeşim yemekleri yapacak, ben de eski fotoğraflardan bir albüm hazırlıyorum. Albümün ilk sayfasına yazabileceğim, çok uzun olmayan ama içten bir yazı önerebilir misin?',
  vietnamese: 'Tháng sau tôi sẽ đi công tác ở Đà Nẵng bốn ngày và muốn tranh thủ thăm phố cổ Hội An. Bạn có thể gợi ý lịch trình cho một buổi chiều và buổi tối không? Tôi không ăn được hải sản, thích đi bộ chậm rãi và muốn mua một ít quà nhỏ cho các đồng nghiệp ở nhà.',
  indonesian: 'Toko kecil kami baru saja mulai menjual kopi secara daring, tetapi banyak pembeli bertanya kapan pesanan mereka tiba. Tolong buatkan pesan balasan yang ramah, menjelaskan bahwa pengiriman memakan waktu tiga sampai lima hari kerja, dan tawarkan potongan harga untuk pembelian berikutnya.',
  malay: 'Anak saya akan masuk darjah satu tahun depan dan dia masih takut bercakap di hadapan orang ramai. Guru tadikanya mencadangkan supaya kami berlatih bercerita setiap malam. Boleh berikan beberapa cerita pendek tentang haiwan yang mudah diingat dan ada pengajaran di akhirnya?',
  tagalog: 'Magandang araw po. Nais ko sanang magtanong kung paano mag-apply ng scholarship para sa kapatid kong magtatapos na ngayong taon. Mataas ang kanyang grado sa agham pero hindi namin kayang bayaran ang matrikula. Ano-ano po ang mga dokumentong kailangan naming ihanda?',
  swahili: 'Ninataka kuanzisha biashara ndogo ya kuuza mboga sokoni, lakini sina uhakika nianze na mtaji kiasi gani. Rafiki yangu alisema ni bora kuanza na bidhaa chache na kuongeza polepole. Tafadhali nisaidie kuandika mpango mfupi wa matumizi ya mwezi wa kwanza na faida ninayoweza kutarajia.',
  catalan: 'Aquest cap de setmana vindran els meus cosins i plourà tot el dia. Em pots dir quins jocs podem fer dins de casa amb nens de cinc a onze anys? No tenim gaire espai, però hi ha una taula grossa, molts papers de colors i una caixa plena de taps d’ampolla que hem anat guardant.',
  greek: 'Θέλω να γράψω ένα γράμμα στον δήμο για τη στάση του λεωφορείου έξω από το σχολείο. Δεν υπάρχει στέγαστρο και τα παιδιά περιμένουν στη βροχή. Βοήθησέ με να εξηγήσω το πρόβλημα με ευγένεια, να αναφέρω πόσοι μαθητές τη χρησιμοποιούν και να προτείνω μια φθηνή λύση.',
  russian: 'Подскажите, пожалуйста, как правильно хранить домашнее варенье, чтобы оно не засахарилось до весны. В прошлом году половина банок испортилась, хотя стояли они в тёмном шкафу. Может быть, дело в том, что я кладу меньше сахара, чем было у мамы? И можно ли спасти те банки, которые уже открыты?',
  ukrainian: 'Ми з друзями хочемо влітку пройти пішки через Карпати, але жоден із нас раніше не ходив у такі походи. Скільки кілометрів на день варто планувати, якщо кожен нестиме намет і їжу? Склади, будь ласка, список речей, без яких не можна обійтися, і познач, що можна взяти одне на всіх.',
  bulgarian: 'Съседите решиха да боядисат входа и ме помолиха да събера пари от всички апартаменти. Някои живеят в чужбина и не отговарят на телефона. Помогни ми да напиша кратко съобщение, в което да обясня колко струва боята, до кога трябва да платят и на кого да се обадят при въпроси.',
  serbian: 'Мој деда има велики воћњак изван града и сваке јесени не знамо шта да радимо са толиким јабукама. Сок смо већ правили, а комшије више не желе џем. Предложи ми неколико једноставних начина да их сачувамо преко зиме, а да нам не треба никаква посебна опрема.',
  hebrew: 'אני מארגנת טיול לכיתה ו ויש לי שלושים וארבעה ילדים, שני הורים מלווים ואוטובוס אחד. אנחנו רוצים לצאת בבוקר לגליל, לאכול צהריים בחוץ ולחזור לפני החושך. תוכל לכתוב לי לוח זמנים סביר ורשימה של דברים שכל ילד צריך להביא מהבית?',
  arabic: 'أبحث عن طريقة بسيطة لأشرح لجدتي كيف ترسل الصور عبر الهاتف دون أن تشعر بالملل. هي تعرف كيف تجيب على المكالمات فقط، وتخاف أن تضغط على زر خاطئ. اكتب لي خطوات قصيرة وواضحة بخط كبير، كل خطوة في سطر واحد، حتى أطبعها وأعلقها بجانب سريرها.',
  persian: 'هفته‌ی آینده برای اولین بار باید جلوی همکارانم درباره‌ی پروژه‌ای که شش ماه رویش کار کرده‌ام صحبت کنم و خیلی استرس دارم. لطفاً کمک کن متن کوتاهی برای شروع بنویسم که هم رسمی باشد و هم صمیمی، و چند راه ساده برای آرام ماندن پیشنهاد بده.',
  urdu: 'میرے بھائی نے نیا کاروبار شروع کیا ہے اور وہ چاہتا ہے کہ میں اس کے لیے ایک اشتہار لکھوں۔ وہ گھروں میں بجلی کا کام کرتا ہے اور اس کے پاس دس سال کا تجربہ ہے۔ براہ کرم ایسا متن لکھیں جو مختصر ہو، بھروسا پیدا کرے اور آخر میں فون کرنے کی دعوت دے۔',
  hindi: 'मेरी बेटी की परीक्षा अगले महीने है और वह गणित से बहुत घबराती है। हम रोज़ शाम को एक घंटा साथ बैठते हैं, लेकिन भिन्न के सवालों में वह अटक जाती है। क्या आप रसोई की चीज़ों से कुछ ऐसे उदाहरण बना सकते हैं जिनसे उसे आधा, चौथाई और तिहाई आसानी से समझ में आ जाए?',
  bengali: 'আমাদের পাড়ার পুকুরটা গত কয়েক বছরে প্রায় ভরাট হয়ে গেছে। বর্ষায় রাস্তায় জল জমে আর ছোট বাচ্চারা স্কুলে যেতে পারে না। পৌরসভাকে পাঠানোর জন্য একটি আবেদনপত্র লিখে দিন, যাতে সমস্যাটা পরিষ্কার বোঝা যায় এবং সবাই সই করতে পারে।',
  marathi: 'आमच्या शेतात यंदा पाऊस उशिरा पडला आणि सोयाबीनचे पीक नीट आले नाही. आता रब्बी हंगामात काय पेरावे याचा विचार करत आहोत. विहिरीला पाणी थोडेच आहे. कमी पाण्यात येणारी आणि बाजारात चांगला भाव मिळणारी पिके कोणती, हे सोप्या शब्दांत सांगा.',
  tamil: 'எங்கள் ஊரில் உள்ள பழைய நூலகத்தை மீண்டும் திறக்க இளைஞர்கள் சிலர் முயற்சி செய்து வருகிறோம். புத்தகங்கள் நிறைய இருக்கின்றன, ஆனால் அவற்றை வரிசைப்படுத்த யாரும் இல்லை. மாணவர்கள் வார இறுதியில் உதவ வருமாறு அழைக்கும் ஒரு சிறிய அறிவிப்பை எழுதித் தாருங்கள்.',
  telugu: 'మా అమ్మమ్మ చేసే పులిహోర రుచి నాకు ఎప్పటికీ రాదు. ఆమె చెప్పినట్లే చింతపండు, పసుపు, పల్లీలు వేస్తున్నాను కానీ ఏదో తక్కువగా అనిపిస్తుంది. ఎక్కడ పొరపాటు జరుగుతోందో చెప్పండి, నలుగురికి సరిపోయే కొలతలు కూడా వివరంగా రాయండి.',
  thai: 'ช่วงนี้ฝนตกเกือบทุกเย็น แล้วน้ำก็ท่วมซอยหน้าบ้านจนรถออกไม่ได้ อยากทราบว่าควรเตรียมของอะไรไว้บ้างถ้าต้องอยู่บ้านสองสามวัน คุณยายอายุแปดสิบแล้วและต้องกินยาทุกเช้า ช่วยเขียนรายการสั้น ๆ ให้หน่อย แบ่งเป็นอาหาร ยา และของใช้ไฟฟ้า',
  'chinese, simplified': '我妹妹下个月要参加演讲比赛，题目是“如果我是市长”。她写了三遍都不满意，说听起来像在背课文。请根据她的想法重新组织一下：多种树、给老人修电梯、周末把主街改成步行街。语气要自然，像一个十二岁的孩子在说话，长度大约三分钟，最后最好有一句让人印象深刻的结尾。',
  'chinese, traditional': '上個週末我們全家去爬山，本來以為天氣會很好，結果走到一半就下起大雨。還好路邊有一間小茶館，老闆娘請我們喝了熱薑茶，還借我們兩把雨傘。回家以後孩子一直問什麼時候可以再去。請幫我寫一封感謝信給茶館的老闆娘，語氣溫暖一點，不要太長，並且邀請她有空來臺北玩。',
  japanese: '来週の金曜日に引っ越しをするので、粗大ごみの出し方を教えてください。大きな本棚が二つと、古い洗濯機があります。市役所のホームページを見ましたが、申し込みの方法がよく分かりませんでした。近所の人に迷惑をかけないように、前の日の夜ではなく当日の朝に出したいと思っています。',
  korean: '다음 주에 회사에서 신입 사원들을 위한 안내를 맡게 되었는데 어떤 순서로 말해야 할지 고민입니다. 점심시간, 휴가 신청, 회의실 예약 방법은 꼭 알려 주고 싶어요. 너무 딱딱하지 않으면서도 십오 분 안에 끝낼 수 있도록 말할 내용을 짧게 정리해 주시겠어요?',
  georgian: 'ჩემმა მეგობარმა სოფელში ძველი სახლი იყიდა და ახლა სახურავის შეკეთება სურს. ზამთარი მალე დაიწყება, ამიტომ დრო ცოტა აქვს. გთხოვთ, დაწეროთ რა მასალა დასჭირდება და რა თანმიმდევრობით უნდა იმუშაოს.',
  armenian: 'Մեր դպրոցի աշակերտները ուզում են ծառեր տնկել բակում, բայց չգիտեն՝ որ տեսակներն են ավելի լավ աճում մեր կլիմայում։ Խնդրում եմ առաջարկեք մի քանի տարբերակ և բացատրեք, թե ինչպես պետք է խնամել դրանք առաջին տարում։',
  amharic: 'ልጄ በሚቀጥለው ሳምንት ትምህርት ቤት ይጀምራል፣ ነገር ግን አዲስ ሰው ማነጋገር ይፈራል። እባክዎን በመጀመሪያው ቀን ምን ማድረግ እንዳለብን በአጭሩ ይንገሩኝ።',
  burmese: 'ကျွန်တော်တို့ရွာမှာ စာကြည့်တိုက်အသစ်ဖွင့်ဖို့ စီစဉ်နေပါတယ်။ ကလေးတွေအတွက် ဘယ်လိုစာအုပ်တွေ ဝယ်သင့်သလဲဆိုတာ အကြံပေးပါ။',
};

/** Code and settings by language; not used for fitting the weights. */
const PROGRAMS: Readonly<Record<string, string>> = {
  typescript: "type Shelf = { readonly label: string; readonly books: ReadonlyMap<string, number> };\n\nexport function mostBorrowed(shelves: readonly Shelf[], limit = 10): string[] {\n  const totals = new Map<string, number>();\n  for (const { books } of shelves) {\n    for (const [isbn, times] of books) totals.set(isbn, (totals.get(isbn) ?? 0) + times);\n  }\n  return [...totals].sort(([, a], [, b]) => b - a).slice(0, limit).map(([isbn]) => isbn);\n}\n",
  tsx: "export function TideTable({ harbour, days }: Props) {\n  const [open, setOpen] = useState<string | null>(null);\n  if (days.length === 0) return <p className=\"empty\">No tides for {harbour.name}.</p>;\n  return (\n    <ul className=\"tides\" aria-label={harbour.name}>\n      {days.map((day) => (\n        <li key={day.date} onClick={() => setOpen(day.date)}>\n          <time dateTime={day.date}>{format(day.date)}</time>\n          {open === day.date && <Details tide={day} />}\n        </li>\n      ))}\n    </ul>\n  );\n}\n",
  python: "from dataclasses import dataclass, field\nfrom collections.abc import Iterator\n\n@dataclass\nclass Route:\n    name: str\n    stops: list[str] = field(default_factory=list)\n\n    def legs(self) -> Iterator[tuple[str, str]]:\n        yield from zip(self.stops, self.stops[1:])\n\n\ndef shortest(routes: list[Route], start: str, end: str) -> Route | None:\n    matching = [r for r in routes if start in r.stops and end in r.stops]\n    return min(matching, key=lambda r: abs(r.stops.index(end) - r.stops.index(start)), default=None)\n",
  rust: "use std::collections::BTreeMap;\n\n#[derive(Debug, Clone, PartialEq)]\npub enum Weather { Sunny, Rain { millimetres: u32 }, Storm(String) }\n\nimpl Weather {\n    pub fn parse(line: &str) -> Result<Self, ParseError> {\n        match line.split_once(':') {\n            Some((\"rain\", amount)) => Ok(Weather::Rain { millimetres: amount.trim().parse()? }),\n            Some((\"storm\", name)) => Ok(Weather::Storm(name.to_owned())),\n            _ if line == \"sunny\" => Ok(Weather::Sunny),\n            _ => Err(ParseError::Unknown),\n        }\n    }\n}\n",
  go: "func (s *Store) Expire(ctx context.Context, before time.Time) (int, error) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tremoved := 0\n\tfor id, item := range s.items {\n\t\tif err := ctx.Err(); err != nil {\n\t\t\treturn removed, fmt.Errorf(\"expire: %w\", err)\n\t\t}\n\t\tif item.Touched.Before(before) {\n\t\t\tdelete(s.items, id)\n\t\t\tremoved++\n\t\t}\n\t}\n\treturn removed, nil\n}\n",
  java: "public final class Thermostat implements AutoCloseable {\n    private static final double HYSTERESIS = 0.5;\n    private final Sensor sensor;\n    private volatile boolean heating;\n\n    public Thermostat(Sensor sensor) {\n        this.sensor = Objects.requireNonNull(sensor, \"sensor\");\n    }\n\n    public void regulate(double wanted) {\n        double measured = sensor.readCelsius();\n        if (measured < wanted - HYSTERESIS) heating = true;\n        else if (measured > wanted + HYSTERESIS) heating = false;\n    }\n\n    @Override\n    public void close() { heating = false; }\n}\n",
  kotlin: "data class Ticket(val id: Long, val seat: String, val price: BigDecimal?)\n\nsuspend fun cheapest(client: HttpClient, show: String): Ticket? =\n    client.get(\"/shows/$show/tickets\").body<List<Ticket>>()\n        .filter { it.price != null && it.seat.startsWith(\"B\") }\n        .minByOrNull { it.price!! }\n        ?.also { log.info { \"Cheapest for $show is ${it.seat}\" } }\n",
  swift: "struct Lantern: Identifiable, Codable {\n    let id: UUID\n    var brightness: Double { didSet { brightness = min(max(brightness, 0), 1) } }\n}\n\nfinal class Garden: ObservableObject {\n    @Published private(set) var lanterns: [Lantern] = []\n\n    func dim(by amount: Double) async throws {\n        guard !lanterns.isEmpty else { throw GardenError.noLanterns }\n        for index in lanterns.indices { lanterns[index].brightness -= amount }\n    }\n}\n",
  csharp: "public async Task<IReadOnlyList<Invoice>> OverdueAsync(DateOnly today, CancellationToken token)\n{\n    await using var connection = await _factory.OpenAsync(token);\n    var rows = await connection.QueryAsync<InvoiceRow>(OverdueSql, new { Today = today });\n    return rows.Where(r => r.PaidAt is null)\n               .Select(r => new Invoice(r.Number, r.Total, r.DueOn))\n               .OrderBy(i => i.DueOn)\n               .ToList();\n}\n",
  c: "static int ring_push(struct ring *r, const uint8_t *src, size_t len)\n{\n\tsize_t free_bytes = r->cap - (r->head - r->tail);\n\n\tif (len > free_bytes)\n\t\treturn -ENOSPC;\n\tfor (size_t i = 0; i < len; i++)\n\t\tr->buf[(r->head + i) & (r->cap - 1)] = src[i];\n\tatomic_store_explicit(&r->head, r->head + len, memory_order_release);\n\treturn 0;\n}\n",
  cpp: "template <typename Key, typename Value>\nclass LruCache {\npublic:\n  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}\n\n  std::optional<Value> get(const Key& key) {\n    auto it = index_.find(key);\n    if (it == index_.end()) return std::nullopt;\n    order_.splice(order_.begin(), order_, it->second);\n    return it->second->second;\n  }\n\nprivate:\n  std::size_t capacity_;\n  std::list<std::pair<Key, Value>> order_;\n  std::unordered_map<Key, typename decltype(order_)::iterator> index_;\n};\n",
  ruby: "class Recipe < ApplicationRecord\n  has_many :ingredients, dependent: :destroy\n  validates :title, presence: true, length: { maximum: 80 }\n  scope :quick, -> { where('minutes <= ?', 20).order(created_at: :desc) }\n\n  def scaled(people)\n    ingredients.map { |i| i.dup.tap { |copy| copy.grams = (i.grams * people / serves.to_f).round } }\n  end\nend\n",
  php: "<?php\ndeclare(strict_types=1);\n\nfinal class Mailer\n{\n    public function __construct(private readonly Transport $transport, private array $queue = []) {}\n\n    public function send(string $to, string $subject, string $body): void\n    {\n        if (!filter_var($to, FILTER_VALIDATE_EMAIL)) {\n            throw new InvalidArgumentException(\"Not an address: {$to}\");\n        }\n        $this->queue[] = ['to' => $to, 'subject' => trim($subject), 'body' => $body];\n    }\n}\n",
  sql: "WITH monthly AS (\n  SELECT customer_id, date_trunc('month', ordered_at) AS month, SUM(quantity * unit_price) AS revenue\n  FROM order_lines JOIN orders USING (order_id)\n  WHERE status NOT IN ('cancelled', 'draft')\n  GROUP BY 1, 2\n)\nSELECT c.name, m.month, m.revenue,\n       m.revenue - LAG(m.revenue) OVER (PARTITION BY m.customer_id ORDER BY m.month) AS change\nFROM monthly m LEFT JOIN customers c ON c.id = m.customer_id\nORDER BY m.month DESC, m.revenue DESC LIMIT 50;\n",
  haskell: "module Orchard (ripe, Tree (..)) where\n\nimport qualified Data.Map.Strict as Map\nimport Data.Maybe (mapMaybe)\n\ndata Tree = Tree { kind :: String, age :: Int, fruit :: [Fruit] } deriving (Eq, Show)\n\nripe :: Map.Map String Int -> [Tree] -> [(String, Int)]\nripe seasons = mapMaybe check\n  where\n    check t = do\n      days <- Map.lookup (kind t) seasons\n      let n = length (filter ((>= days) . ripeness) (fruit t))\n      if n > 0 then Just (kind t, n) else Nothing\n",
  shell: "#!/usr/bin/env bash\nset -euo pipefail\n\nbackup_dir=\"${BACKUP_DIR:-$HOME/backups}\"\nfor db in $(psql -At -c 'select datname from pg_database where not datistemplate'); do\n  target=\"$backup_dir/$db-$(date +%F).sql.gz\"\n  [[ -s \"$target\" ]] && { echo \"skip $db\" >&2; continue; }\n  pg_dump --no-owner \"$db\" | gzip -9 > \"$target.part\" && mv \"$target.part\" \"$target\"\ndone\nfind \"$backup_dir\" -name '*.sql.gz' -mtime +30 -delete\n",
  lua: "local Queue = {}\nQueue.__index = Queue\n\nfunction Queue.new() return setmetatable({ first = 1, last = 0, items = {} }, Queue) end\n\nfunction Queue:pop()\n  if self.first > self.last then return nil, \"empty\" end\n  local value = self.items[self.first]\n  self.items[self.first] = nil\n  self.first = self.first + 1\n  return value\nend\n",
  css: ".card {\n  display: grid;\n  grid-template-columns: minmax(0, 1fr) auto;\n  gap: 0.75rem 1.5rem;\n  padding: clamp(1rem, 3vw, 2rem);\n  border: 1px solid #d0d7de;\n  border-radius: 12px;\n  background: linear-gradient(180deg, #fff 0%, #f6f8fa 100%);\n}\n\n@media (max-width: 640px) {\n  .card > img { order: -1; width: 100%; }\n}\n",
  html: "<form action=\"/bookings\" method=\"post\" class=\"booking\">\n  <label for=\"date\">When would you like to come?</label>\n  <input id=\"date\" name=\"date\" type=\"date\" required min=\"2025-01-01\">\n  <select name=\"guests\" aria-describedby=\"hint\">\n    <option value=\"1\">One guest</option>\n    <option value=\"2\" selected>Two guests</option>\n  </select>\n  <p id=\"hint\">Larger groups, please <a href=\"tel:+390110000\">call us</a>.</p>\n  <button type=\"submit\" disabled>Book</button>\n</form>\n",
  xml: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>org.example</groupId>\n  <artifactId>lighthouse</artifactId>\n  <version>2.3.1-SNAPSHOT</version>\n  <dependencies>\n    <dependency>\n      <groupId>junit</groupId>\n      <artifactId>junit</artifactId>\n      <scope>test</scope>\n    </dependency>\n  </dependencies>\n</project>\n",
  yaml: "services:\n  web:\n    image: registry.example.com/shop/web:1.14.2\n    ports: [\"8080:80\"]\n    environment:\n      - DATABASE_URL=postgres://shop:${DB_PASSWORD}@db:5432/shop\n      - FEATURE_CHECKOUT=true\n    depends_on:\n      db: { condition: service_healthy }\n    healthcheck:\n      test: [\"CMD\", \"curl\", \"-f\", \"http://localhost/healthz\"]\n      interval: 30s\n      retries: 5\n",
  toml: "[package]\nname = \"tidepool\"\nversion = \"0.4.0\"\nedition = \"2021\"\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\ntokio = { version = \"1.38\", default-features = false, features = [\"rt\", \"net\", \"time\"] }\n\n[profile.release]\nlto = \"thin\"\ncodegen-units = 1\nstrip = true\n",
  dockerfile: "FROM node:22-bookworm-slim AS build\nWORKDIR /srv\nCOPY package.json package-lock.json ./\nRUN --mount=type=cache,target=/cache/npm npm ci --ignore-scripts\nCOPY . .\nRUN npm run build && npm prune --omit=dev\n\nFROM gcr.io/distroless/nodejs22\nCOPY --from=build /srv /srv\nUSER nonroot\nEXPOSE 3000\nENTRYPOINT [\"/nodejs/bin/node\", \"/srv/dist/main.js\"]\n",
  latex: "\\begin{theorem}\\label{thm:bound}\nLet $f\\colon [0,1] \\to \\mathbb{R}$ be Lipschitz with constant $L$. Then for every $n \\geq 1$\n\\[\n  \\left| \\int_0^1 f(x)\\,dx - \\frac{1}{n}\\sum_{i=1}^{n} f\\!\\left(\\tfrac{2i-1}{2n}\\right) \\right| \\leq \\frac{L}{4n}.\n\\]\n\\end{theorem}\n\\begin{proof}\nSplit the interval into $n$ parts and use the triangle inequality on each; see~\\cite{stein05}.\n\\end{proof}\n",
  r: "library(dplyr)\n\nsummary_by_site <- readings |>\n  filter(!is.na(ph), between(temp_c, -5, 45)) |>\n  group_by(site, month = format(date, \"%Y-%m\")) |>\n  summarise(mean_ph = mean(ph), sd_ph = sd(ph), n = n(), .groups = \"drop\")\n\nfit <- lm(mean_ph ~ month + site, data = summary_by_site, weights = n)\nprint(anova(fit))\n",
  assembly: "memchr_loop:\n        movdqu  xmm1, [rdi]\n        pcmpeqb xmm1, xmm0\n        pmovmskb eax, xmm1\n        test    eax, eax\n        jnz     .found\n        add     rdi, 16\n        cmp     rdi, rdx\n        jb      memchr_loop\n        xor     eax, eax\n        ret\n.found: bsf     eax, eax\n        add     rax, rdi\n        ret\n",
  patch: "diff --git a/src/clock.ts b/src/clock.ts\nindex 3f1c2aa..9be07d4 100644\n--- a/src/clock.ts\n+++ b/src/clock.ts\n@@ -12,7 +12,9 @@ export class Clock {\n   tick(): void {\n-    this.seconds += 1;\n+    this.seconds = (this.seconds + 1) % 60;\n+    if (this.seconds === 0) this.minutes += 1;\n     this.render();\n   }\n",
  stack: "TypeError: Cannot read properties of undefined (reading 'total')\n    at summarise (/srv/app/dist/orders/summary.js:48:31)\n    at Array.map (<anonymous>)\n    at OrderController.list (/srv/app/dist/orders/controller.js:112:27)\n    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)\n    at async Layer.handle (/srv/app/node_modules/router/lib/layer.js:152:17)\n",
  regex: "^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@(?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9]{2,})$\n(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])-(?<day>[12]\\d|0[1-9]|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d\n",
};

export interface Prompt {
  readonly kind: string;
  readonly text: string;
}

const PASSAGE_TEXTS = Object.values(PASSAGES);
const ENGLISH = Object.entries(PASSAGES).flatMap(([language, text]) => (language.startsWith('english') ? [text] : []));
const PROGRAM_TEXTS = Object.values(PROGRAMS);
const GENERATORS = Object.values(GENERATED_KINDS);
const VARIANTS = 3;

/** One prompt per passage and program, and several of every generated kind. */
export function purePrompts(random: SeededChoice): readonly Prompt[] {
  const written = [...Object.entries(PASSAGES), ...Object.entries(PROGRAMS)].map(([kind, text]) => ({ kind, text }));
  const generated = Object.entries(GENERATED_KINDS).flatMap(([kind, make]) => random.times(VARIANTS, () => ({ kind, text: make(random) })));
  return [...written, ...generated];
}

function fenced(text: string): string {
  return `\n\n\`\`\`\n${text}\n\`\`\`\n`;
}

/** Prompts of several parts: a question with context, a conversation, files, tool results. */
const MIXTURES: Readonly<Record<string, (random: SeededChoice) => string>> = {
  'a question about code': (random) => `${random.of(PASSAGE_TEXTS)}${fenced(random.of(PROGRAM_TEXTS))}`,
  'several files': (random) => random.times(3, () => `// ${random.between(1, 40)}\n${random.of(PROGRAM_TEXTS)}`).join('\n'),
  'a conversation': (random) => random.times(random.between(2, 5), () => random.of(PASSAGE_TEXTS)).join('\n\n'),
  'a translation': (random) => `Translate the following into English, and keep the tone.\n\n${random.of(PASSAGE_TEXTS)}`,
  'what a tool returned': (random) => `${random.of(ENGLISH)}\n${random.of(GENERATORS)(random)}\n${random.of(PROGRAM_TEXTS)}`,
  'a report with a machine\'s output': (random) => `${random.of(PASSAGE_TEXTS)}${fenced(random.of(GENERATORS)(random))}${random.of(PASSAGE_TEXTS)}`,
};

export function mixedPrompts(random: SeededChoice, ofEach: number): readonly Prompt[] {
  return Object.entries(MIXTURES).flatMap(([kind, make]) => random.times(ofEach, () => ({ kind, text: make(random) })));
}

/** Random choices that are the same for the same seed. */
export class SeededChoice {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** A number from 0 up to, but not including, 1. */
  share(): number {
    return this.#random.fraction();
  }

  /** A random integer; both bounds are possible. */
  between(least: number, most: number): number {
    return this.#random.between(least, most);
  }

  of<Value>(values: ArrayLike<Value>): Value {
    return this.#random.pick(values);
  }

  text(length: number, alphabet: ArrayLike<string>): string {
    return this.times(length, () => this.of(alphabet)).join('');
  }

  times<Value>(count: number, make: (position: number) => Value): Value[] {
    return Array.from({ length: count }, (_none, position) => make(position));
  }
}
