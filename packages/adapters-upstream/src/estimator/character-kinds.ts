/** The most common ideographs in code order: those that are one token in a current vocabulary. All others are two or three. */
const COMMON_IDEOGRAPHS: string = [
  '一丁七万丈三上下不与专且世丘业东丝两严並丨个中丰串临丶丸丹为主丽举乃久么义之乌乎乐乔乗乘乙九也习乡书买乱乳乾亂了予争事二于亏云互五井亚些亞亡交亦产亩享京亭亮亲人',
  '亿什仁仅今介仍从仓仔仕他付仙代令以仪们仲件价任份企伊伍伏休众优伙会伝伟传伤伦伯估伴伸似但位低住佐体何余佛作你佣佩佳使來例供依侠価侣侧侯侵便係促俄俊俗保信修俱俺個',
  '倍們倒候借倡値倫债值倾假偏做停健側偶偷偿傅備储催傳傷働像僕價億優儿允元兄充兆先光克免児兑兒兔党入內全兩八公六兰共关兴兵其具典养兼兽内円冈冊册再冒写军农冠冬冰冲决',
  '况冷冻净准凉凌减凝几凡凤処凭凯凰凸出击函刀分切刊刑划列刘则刚创初删判別利别到制刷券刺刻剂則削前剑剤剧剩剪副割創劇力办功加务动助努励劲劳効势勇勒動務勝募勢勤勿包化',
  '北匙匹区医區十千升午半华协卒卓協单卖南単博占卡卢卧卫印危即却卷卸厂厅历厉压厕厘厚原厦厨去县参參又叉及友双反収发叔取受变口古句另只叫召可台史右叶号司吃各合吉吊同名',
  '后吐向吕吗君吞吟否吧吨含听启吴吸吹吻吾呀呈告员呢周味呵呻呼命咋和咖咨咪品哈响員哥哦哪哭哲唐售唯唱商啊問啥啦啪善喊喘喜喝單営喷嗎嗯嘉嘎嘛嘴嘿噜器四回因团団园困囲図',
  '围固国图圆圈國園圖團土圣在地圳场圾址坂均坊坏坐坑块坚坛坝坡坦坪垃型埃城埔域培基堂堡報場堵塑塔塘塞填境墓増墙增墨壁壇士壮声売处备変复夏夕外多夜够夢大天太夫央失头夹',
  '夺奇奈奉奋奏契奔奖套奥女奴奶奷奸她好如妇妈妓妖妙妞妮妹妻姆始姐姑姓委姚姜姨姿威娃娇娘娛娜娱婆婚婦婷媒媳媽嫁嫂嫌嫩嬉子孔孕字存孙孟季孤学孩學宁它宅宇守安宋完宏宗官',
  '定宜宝实実宠审客宣室宫宮害宴家容宽宾宿寄密富寒寓寝察實寨寫寶寸对寺寻导対寿封専射将將專尊尋對導小少尔尖尚尝尤就尸尺尼尽尾尿局屁层居届屋屏展属履屯山岁岗岛岡岩岭岳',
  '岸峡峰島崎川州巡工左巧巨差己已巴巻币市布帅师希帐帖帝带師席帮帯帰帳帶常帽幅幕干平年并幸幻幼幽广広庄庆床序库应底店府废度座庫庭康廉廣延廷建开异弃弄弊式引弗弘弟张弱',
  '張強弹强归当录形彦彩彰影役彻彼往征径待很律後徐徒得從御復循微徳徴德徽心必忆忍志忘忙応忠忧快念忽怀态怎怒怕怖思怡急性怪总恋恐恒恢恩息恶悉悟悠患悦您悪悲情惊惑惜惠惨',
  '惯想意愛感愿慈態慎慢慧慰懂應戀戏成我戒或战戦截戰戲戴戶户戸戻房所手才扎扑扒打払托扣执扩扫扬扰扱扶批找承技把抓投抗折抜択抢护报披抱抵押抽担拆拉拍拒拓拔拖拘招拜拟拥',
  '拨择括拳拼拾拿持挂指按挑挡挣挥振挺捕损换据捷掃授掉掌排掛採探接控推措掲揉描提插換握揭援搏搜搞搬搭携摄摆摇摘摩摸撃撑撒撞撤播撮撸擊操據擦攝支收改攻放政故效敌敏救敗',
  '教敢散敦敬数整敵數文斗料斤断斯新方於施旁旅旋族旗无既日旦旧旨早旬旭时旺昂昆昌明易昔星映春昨昭是昼显時晋晒晓晚晨普景晰晴晶智暂暇暑暖暗暨暮暴曜曝曰曲更書曹曼曾替最',
  '會月有朋服朗望朝期木未末本札术朱机杀杂权杆杉李杏材村杜束条来杨杭杯杰東松板极构析林枚果枝枪架柄柏某染柔柜查柱柳柴査标栋栏树栗校株样核根格桂桃框案桌桑档桥桶梁梅條',
  '梦梨梯械检棋棒棚森植椒検楚業極楼楽概榜構様槽樂樓標模樣横橋機橹橾權欠次欢欣欧欲欺款歉歌歓歡止正此步武歩歲歳歴歷死殊残殖段殺毁毅母毎每毒比毕毛毫氏民气気氣氧水永汁',
  '求汇汉汗江池污汤決汽沁沃沈沉沒沖沙沟没沢沪河油治沿況泄泉泊法泛泡波泥注泰泳泽洁洋洗洛洞津洪洲活派流浅浆测济浓浜浦浩浪浮浴海消涉涓涙涛润涨涩涯液涵淘淡淫深混添清済',
  '渐減渠渡温測港游湖湘湾湿満源準溪滋滑滚满滤滨滴滿漂漏演漢漫潔潘潜潭潮澡澳激灣火灭灯灰灵灾炉炎炒炮炸点為炼烈烟烦烧热無焦然焼煌煙煤照熊熟熱燃燕營爆爰爱爵父爷爸爽片',
  '版牌牙牛牡牢牧物牲特犬犯状狂狐狗狠独狸狼猎猛猜猪猫献猴獸玄率玉王玖玛玩环现玲玻珍珠班現球理琪琳琴瑞璃環瓜瓣瓦瓶甘甚甜生產産用田由甲申电男甸町画畅界留略番畫異當疆',
  '疑疗疫疯疲疼疾病症痛療癌発登發白百的皆皇皮盆盈益盐监盒盖盗盘盛盟監盤目直相盾省眉看県真眠眼着睛睡督瞬知矩短石矿码砂研砖破础硕硬确碍碎碑碰確碼磁磨示礼社祖祝神祥票',
  '祭禁福禧离禽禾秀私秋种科秒秘租秦积称移程稍税種稱稳稿穆積穴究空穿突窍窗窝窥立站竞竟章童端競竹笑笔符第筆等筋筑答策筛筹签简算管箭箱節篇築篮簡籍米类粉粒粗粤粮精糕糖',
  '系紀約紅納純紙級素索紧紫累細紹終組経結絡給統絲絶經続維網総緒線締編縄縮總績繁續纠红约级纪纬纯纲纳纵纷纸纹纽线练组细织终绍经绑结绕绘给络绝统继绩绪续维综绿缓编缘缩',
  '缴缺网罗罚罩罪置署羅羊美羞群義羽翁翌習翔翠翻翼耀老考者而耐耗耳聊职联聘聚聞聪聯聲職肃肉肌肖股肤肥肩肯育肺胃胆背胎胖胜胞胡胶胸能脂脑脚脱脸腐腕腰腳腹腾腿膜膽臀臣自',
  '臭至致臺與興舍舒舔舗舞舟航般舰船艇良色艳艷艺艾节芝芬芯花芳芸芽苍苏苑苗若苦英范茶茸草荐荒荡荣药荷莉莎莓莞莫莱莲获菌菜華菲萄萌萝营萨萬落葉著葛葡董蒂蒙蒲蓝蔡蕉蕩薄',
  '薦薪薬藏藝藤虎虐虑處虚號虫虹虽蛇蛋蛛蜂蜜蝶融血行術街衛衡衣补表袋袖袜被袭裁裂装裏裕裙補裝裤裸製襪西要覆見規視覚覧親観覽觀见观规视览觉角解触言訂計訊討記訪設許訳診',
  '証評詞詢試話詳誉誌認誘語說説読誰課調談請論講謝證識警議護讀變讓计订认讨让训议讯记讲许论设访诀证评识诈诉诊词译试诗诚话询该详语误诱说请诸诺读课谁调谈谋谓谜谢谨谱谷',
  '豆豊象豪豹貌負財貨販責買貸費貼賀資賞質購贝负贡财责贤败账货质贫购贯贴贵贷贸费赁资赋赌赏赔赖赚赛赞赠赢赤赫走赴赵赶起超越趋趣足跃跌跑距跟跨路跳践踏踩踪躁身車軍転軽',
  '較載輪輯輸轉车轨轩转轮软轴轻载较辅辆辉辑输辖辛辞辣辦辨辰辱農边辺込辽达迁迅过迈迎运近返还这进远违连迟迪迫述迷迹追退送适逃逆选逊透逐递途這通速造連週進逸逻逼遂遇遊',
  '運遍過道達違遗遠遣遥適遭遮遵選避邀還邑那邦邪邮邻郎郑部郭郵都配酒酷酸醉醒醫采释里重野量金鉄鉴銀錄錯録鍵鏈鐘鑫针钟钢钥钮钱钻铁铃铜铭银铺链销锁锅锋锐错锡锦键镇镜長',
  '长門閉開間関閱閲關门闪闭问闲间闻阁阅队阪防阳阴阵阶阻阿附际陆陈陌降限院除险陪陰陵陶陷険陽隆隊階随隐隔際障难雀雄雅集雑雕雙雞離難雨雪零雷電需震霍霞露霸青靖静非靠面',
  '革鞋韓韩音響頁頂頃項順須預領頭頻頼題額顔願類页顶项顺须顾顿预领频颖颗题颜额風风飛飞食飯飲養餐館饭饮饰馆馈首香馨馬駅験驗马驰驱驶驻驾验骑骗骚骤骨骰體高鬼魂魅魏魔魚',
  '鱼鲁鲜鲸鳥鸟鸡鸣鸭鸿鹅鹏鹰鹿麗麟麦麻麼黃黄黎黑黒默點鼎鼓鼠鼻齐齢龄龍龙',
].join('');

/** A range of UTF-16 code units; both ends belong to it. */
type Range = readonly [from: number, to: number];

function characters(text: string): readonly Range[] {
  return Array.from(text, (character) => [character.charCodeAt(0), character.charCodeAt(0)]);
}

/** Splits a range so that each code unit is a kind of its own. */
function each([from, to]: Range): readonly (readonly Range[])[] {
  return Array.from({ length: to - from + 1 }, (_none, offset) => [[from + offset, from + offset]]);
}

/**
 * Kinds of characters by index; where ranges overlap, the later kind counts. Each small Latin or Russian letter is a kind of its own, because pairs
 * of letters show how well a vocabulary knows a language. Other letters share a kind by script or group of scripts; the kinds of code punctuation
 * have few characters.
 */
const KINDS: readonly (readonly Range[])[] = [
  // Kind 0: the beginning of a text. Kind 1: every character of no other kind.
  [],
  [[0x0000, 0xffff]],
  ...each([0x61, 0x7a]),
  // Capitals, grouped by frequency, so that words in capitals cost less than random letters.
  ...['AEIO', 'NRSTLDC', 'BFGHMPUVWY', 'JKQXZ'].map(characters),
  // Digits, spaces, tabs, line breaks.
  [[0x30, 0x39]],
  characters(' \u00a0'),
  characters('\t'),
  [[0x0a, 0x0d]],
  ...['.', ',', '-', '_', '/\\', '=', '*#', '"', '\'`', '([{', ')]}', '<>', ':;', '!?', '@$%^&+|~'].map(characters),
  // Control characters.
  [[0x00, 0x08], [0x0e, 0x1f], [0x7f, 0x7f]],
  // Letters with accents: western European, other European, phonetic and Vietnamese.
  [[0xc0, 0xff]],
  [[0x100, 0x24f]],
  [[0x250, 0x2af], [0x300, 0x36f], [0x1e00, 0x1eff]],
  // Greek, Cyrillic capitals, non-Russian Cyrillic letters, Hebrew, Arabic, Arabic letters of other languages.
  [[0x370, 0x3ff]],
  [[0x410, 0x42f]],
  [[0x400, 0x40f], [0x450, 0x52f]],
  [[0x590, 0x5ff]],
  [[0x600, 0x670]],
  [[0x671, 0x6ff]],
  // Devanagari; Bengali, Tamil, Telugu and Kannada; the other scripts of India.
  [[0x900, 0x97f]],
  [[0x980, 0x9ff]],
  [[0xb80, 0xbff]],
  [[0xc00, 0xcff]],
  [[0xa00, 0xb7f], [0xd00, 0xdff]],
  // Thai, Burmese, Khmer and Lao; Armenian and Georgian.
  [[0xe00, 0xe7f]],
  [[0xe80, 0xeff], [0x1000, 0x109f], [0x1780, 0x17ff]],
  [[0x530, 0x58f], [0x10a0, 0x10ff]],
  // Less common ideographs, Hiragana, Katakana, Hangul, full-width punctuation.
  [[0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff]],
  characters(COMMON_IDEOGRAPHS),
  [[0x3040, 0x309f]],
  [[0x30a0, 0x30ff]],
  [[0x1100, 0x11ff], [0xac00, 0xd7a3]],
  [[0x3000, 0x303f], [0xff00, 0xffef]],
  // Latin-1 symbols; dashes and quotes; box-drawing characters; all other symbols.
  [[0x80, 0x9f], [0xa1, 0xbf]],
  [[0x2000, 0x206f]],
  [[0x2500, 0x259f]],
  [[0x2070, 0x24ff], [0x25a0, 0x2bff], [0xfe0f, 0xfe0f]],
  // Surrogates: high ones of any character; high ones of most emoji; low ones of faces and other well-known emoji; all other low ones.
  [[0xd800, 0xdbff]],
  [[0xd83d, 0xd83d]],
  [[0xdc00, 0xdd3f], [0xde00, 0xdebf]],
  [[0xdd40, 0xddff], [0xdec0, 0xdfff]],
  // Russian letters.
  ...each([0x430, 0x44f]),
];

function kindsByCode(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [kind, ranges] of KINDS.entries()) for (const [from, to] of ranges) kinds.fill(kind, from, to + 1);
  return kinds;
}

/** The kind of each UTF-16 code unit. */
export const KIND_OF_CODE: Uint8Array = kindsByCode();

export const KIND_COUNT = KINDS.length;
