/** Brazilian names for the population, written as `handle:Name as people write it`. No handle occurs in two of the three lists. */
export interface Name {
  /** Lower-case ASCII, as in a username. */
  handle: string;
  display: string;
}

function parse(list: string): readonly Name[] {
  return list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [handle = '', display = ''] = entry.split(':');
      return { handle, display };
    });
}

/** 120 first names. */
export const firstNames = parse(`
   ana:Ana bia:Bia bruna:Bruna camila:Camila carla:Carla carol:Carol clara:Clara cris:Cris dani:Dani debora:Débora
   eduarda:Eduarda elaine:Elaine fabi:Fabi fernanda:Fernanda flavia:Flávia gabi:Gabi giovana:Giovana helena:Helena
   isabela:Isabela ivone:Ivone jessica:Jéssica joana:Joana julia:Júlia juliana:Juliana karina:Karina lais:Laís
   larissa:Larissa leticia:Letícia lia:Lia livia:Lívia luana:Luana luiza:Luíza manu:Manu marcela:Marcela mari:Mari
   marina:Marina marta:Marta mel:Mel michele:Michele milena:Milena monica:Mônica nanda:Nanda natalia:Natália nina:Nina
   paola:Paola patricia:Patrícia paula:Paula priscila:Priscila rafa:Rafa raquel:Raquel rebeca:Rebeca renata:Renata
   rosa:Rosa sabrina:Sabrina sandra:Sandra sara:Sara simone:Simone sofia:Sofia tais:Taís tati:Tati thais:Thaís
   vanessa:Vanessa vera:Vera vitoria:Vitória yasmin:Yasmin alan:Alan alex:Alex andre:André antonio:Antônio arthur:Arthur
   beto:Beto breno:Breno bruno:Bruno caio:Caio carlos:Carlos cesar:César cleber:Cléber daniel:Daniel davi:Davi diego:Diego
   edu:Edu elias:Elias enzo:Enzo fabio:Fábio felipe:Felipe gabriel:Gabriel gustavo:Gustavo heitor:Heitor henrique:Henrique
   hugo:Hugo igor:Igor ivan:Ivan joao:João jonas:Jonas jorge:Jorge jose:José julio:Júlio kaua:Kauã leandro:Leandro leo:Léo
   lucas:Lucas luis:Luís marcelo:Marcelo marcos:Marcos mateus:Mateus murilo:Murilo nelson:Nelson otavio:Otávio pablo:Pablo
   paulo:Paulo pedro:Pedro rafael:Rafael renan:Renan ricardo:Ricardo roberto:Roberto rodrigo:Rodrigo samuel:Samuel
   sergio:Sérgio thiago:Thiago tomas:Tomás
`);

/** 140 family names. */
export const lastNames = parse(`
   abreu:Abreu aguiar:Aguiar albuquerque:Albuquerque almeida:Almeida alves:Alves amaral:Amaral amorim:Amorim
   andrade:Andrade antunes:Antunes araujo:Araújo assis:Assis azevedo:Azevedo bandeira:Bandeira barbosa:Barbosa
   barreto:Barreto barros:Barros bastos:Bastos batista:Batista bezerra:Bezerra borges:Borges brandao:Brandão brito:Brito
   bueno:Bueno cabral:Cabral caldas:Caldas camargo:Camargo campos:Campos cardoso:Cardoso carneiro:Carneiro
   carvalho:Carvalho castro:Castro cavalcanti:Cavalcanti chagas:Chagas chaves:Chaves coelho:Coelho cordeiro:Cordeiro
   correa:Corrêa costa:Costa couto:Couto cruz:Cruz cunha:Cunha dantas:Dantas dias:Dias diniz:Diniz duarte:Duarte
   dutra:Dutra esteves:Esteves farias:Farias fernandes:Fernandes ferraz:Ferraz ferreira:Ferreira figueiredo:Figueiredo
   fonseca:Fonseca fontes:Fontes franco:Franco freire:Freire freitas:Freitas furtado:Furtado galvao:Galvão garcia:Garcia
   gomes:Gomes goncalves:Gonçalves gouveia:Gouveia guedes:Guedes guerra:Guerra guimaraes:Guimarães jesus:Jesus
   lacerda:Lacerda leal:Leal leite:Leite lemos:Lemos lima:Lima lins:Lins lobo:Lobo lopes:Lopes macedo:Macedo
   machado:Machado maciel:Maciel magalhaes:Magalhães maia:Maia marinho:Marinho marques:Marques martins:Martins matos:Matos
   medeiros:Medeiros meireles:Meireles melo:Melo mendes:Mendes mendonca:Mendonça menezes:Menezes miranda:Miranda
   monteiro:Monteiro moraes:Moraes morais:Morais moreira:Moreira mota:Mota moura:Moura muniz:Muniz nascimento:Nascimento
   navarro:Navarro neves:Neves nogueira:Nogueira novaes:Novaes nunes:Nunes oliveira:Oliveira pacheco:Pacheco
   padilha:Padilha paiva:Paiva passos:Passos paz:Paz peixoto:Peixoto pereira:Pereira pimentel:Pimentel pinheiro:Pinheiro
   pinto:Pinto pires:Pires porto:Porto prado:Prado queiroz:Queiroz ramalho:Ramalho ramos:Ramos rangel:Rangel rego:Rêgo
   reis:Reis rezende:Rezende ribeiro:Ribeiro rocha:Rocha rodrigues:Rodrigues rosario:Rosário sales:Sales sampaio:Sampaio
   santana:Santana santos:Santos saraiva:Saraiva serra:Serra silva:Silva silveira:Silveira siqueira:Siqueira soares:Soares
   souza:Souza
`);

/** 80 trades of small shops. */
export const trades = parse(`
   doces:Doces bolos:Bolos brigadeiros:Brigadeiros salgados:Salgados marmitas:Marmitas padaria:Padaria pizzaria:Pizzaria
   acai:Açaí cafeteria:Cafeteria churros:Churros confeitaria:Confeitaria cozinha:Cozinha hamburgueria:Hamburgueria
   sorvetes:Sorvetes tapiocas:Tapiocas temperos:Temperos atelie:Ateliê artesanato:Artesanato bijuterias:Bijuterias
   bolsas:Bolsas bordados:Bordados brecho:Brechó calcados:Calçados camisetas:Camisetas canecas:Canecas costura:Costura
   croche:Crochê enxovais:Enxovais festas:Festas flores:Flores jardinagem:Jardinagem joias:Joias lacos:Laços
   lembrancas:Lembranças lingerie:Lingerie macrame:Macramê moda:Moda moveis:Móveis papelaria:Papelaria pijamas:Pijamas
   plantas:Plantas presentes:Presentes roupas:Roupas saboaria:Saboaria semijoias:Semijoias suculentas:Suculentas
   tapetes:Tapetes velas:Velas vestidos:Vestidos barbearia:Barbearia cabelos:Cabelos cilios:Cílios cosmeticos:Cosméticos
   depilacao:Depilação esmalteria:Esmalteria estetica:Estética maquiagem:Maquiagem massagem:Massagem perfumes:Perfumes
   salao:Salão sobrancelhas:Sobrancelhas unhas:Unhas academia:Academia corrida:Corrida crossfit:CrossFit danca:Dança
   fisioterapia:Fisioterapia ioga:Ioga nutricao:Nutrição personal:Personal pilates:Pilates psicologia:Psicologia
   natacao:Natação arquitetura:Arquitetura decoracao:Decoração fotografia:Fotografia imoveis:Imóveis marcenaria:Marcenaria
   petshop:Petshop turismo:Turismo
`);

export const cities = [
  'São Paulo',
  'Rio de Janeiro',
  'Belo Horizonte',
  'Salvador',
  'Fortaleza',
  'Curitiba',
  'Recife',
  'Porto Alegre',
  'Goiânia',
  'Belém',
  'Manaus',
  'Florianópolis',
  'Natal',
  'Vitória',
  'Campinas',
  'Uberlândia',
  'João Pessoa',
  'Maceió',
  'Cuiabá',
  'Ribeirão Preto',
] as const;

export const personalLines = [
  'Mãe de dois 💛',
  'Café e livros',
  'Apaixonada por viagens',
  'Correndo atrás dos sonhos',
  'Cristã ✝️',
  'Vida simples',
  'Sempre aprendendo',
  'Designer',
  'Professora',
  'Enfermeira',
  'Advogado',
  'Engenheiro civil',
  'Estudante de medicina',
  'Fotógrafo nas horas vagas',
  'Corinthians 🖤',
  'Praia, sol e mar',
  'Pai de pet 🐶',
  'Música é tudo',
  'Empreendedora',
  'Fé em Deus sempre',
] as const;

export const shopLines = [
  'Encomendas pelo direct 📩',
  'Entregamos em toda a cidade 🚚',
  'Feito à mão com carinho',
  'Peça já pelo link abaixo 👇',
  'Enviamos para todo o Brasil 📦',
  'Atendimento de seg a sáb',
  'Orçamento sem compromisso',
  'Desde 2014',
  'Aceitamos Pix e cartão',
  'Agende seu horário',
] as const;

export const captionLines = [
  'Bom dia! Hoje tem novidade por aqui',
  'Mais um pedido entregue',
  'Quem aí também ama?',
  'Olha que lindo ficou',
  'Feito com muito carinho',
  'Sextou!',
  'Domingo em família',
  'Que dia especial',
  'Nova coleção chegando',
  'Dica de hoje: salve este post',
  'Marca aquela amiga',
  'Gratidão por tudo',
  'Antes e depois',
  'Últimas unidades',
  'Um pouquinho do nosso dia',
  'Lugar favorito',
  'Simplesmente perfeito',
  'Pedidos abertos para o fim de semana',
] as const;

/** Popular hashtags, the biggest first. Any other tag has a few posts or none. */
export const popularTags = [
  'brasil',
  'amor',
  'moda',
  'fotografia',
  'viagem',
  'fitness',
  'comida',
  'doces',
  'bolos',
  'confeitaria',
  'artesanato',
  'feitoamao',
  'empreendedorismo',
  'empreendedora',
  'marketingdigital',
  'decoracao',
  'casamento',
  'festainfantil',
  'maquiagem',
  'cabelo',
  'unhas',
  'beleza',
  'saude',
  'nutricao',
  'treino',
  'corrida',
  'yoga',
  'natureza',
  'praia',
  'pordosol',
  'cachorro',
  'gatos',
  'pet',
  'plantas',
  'suculentas',
  'livros',
  'musica',
  'cafe',
  'receitas',
  'vegano',
  'brigadeiro',
  'bolodepote',
  'lojaonline',
  'pequenosnegocios',
  'presentes',
  'croche',
  'semijoias',
  'brecho',
  'imoveis',
  'arquitetura',
  'saopaulo',
  'riodejaneiro',
  'nordeste',
  'minasgerais',
  'curitiba',
  'futebol',
  'maternidade',
  'familia',
  'deus',
  'gratidao',
] as const;
