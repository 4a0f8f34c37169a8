package io.planflame.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class IdentityTest {
  private static final String SALES = "parquet:struct<item:bigint,price:double,tax:double>";

  /**
   * select item, sum(price * (1 - tax)) from sales where price < ? and tax > ? group by item, with
   * other expression ids each time.
   */
  private static Tree sales(long firstId, Tree relation, Term condition) {
    Term item = Term.column("item", firstId);
    Term price = Term.column("price", firstId + 1);
    Term tax = Term.column("tax", firstId + 2);
    Term net = Term.of("Multiply", price, Term.of("Subtract", Term.literal(), tax));
    return Plan.aggregate(Plan.filter(relation, condition), item, item, Term.alias(Plan.sum(net), "net", firstId + 9));
  }

  private static Tree relation(long firstId) {
    return Plan.leaf(SALES, Term.column("item", firstId), Term.column("price", firstId + 1), Term.column("tax", firstId + 2));
  }

  private static Term cheap(long firstId) {
    return Plan.and(
        Term.of("LessThan", Term.column("price", firstId + 1), Term.literal()),
        Term.of("GreaterThan", Term.column("tax", firstId + 2), Term.literal()));
  }

  @Test
  void normalFormIsWhatTheDesignSays() {
    String leaf = Hash.of(SALES, 6);
    assertEquals(
        "aggregate(" + leaf + ".item;aggregateexpression(sum(multiply(" + leaf + ".price,subtract(?," + leaf + ".tax))));"
            + "block(leaf:" + SALES + "|lessthan(" + leaf + ".price,?),lessthan(?," + leaf + ".tax)))"
            + "->" + leaf + ".item,aggregateexpression(sum(multiply(" + leaf + ".price,subtract(?," + leaf + ".tax))))",
        Identity.normalForm(sales(1, relation(1), cheap(1))));
  }

  @TestFactory
  Stream<DynamicTest> sameQuery() {
    Tree plain = sales(1, relation(1), cheap(1));
    Term item = Term.column("item", 100);
    Term price = Term.column("price", 101);
    Term tax = Term.column("tax", 102);
    Term less = Term.of("LessThan", price, Term.literal());
    Term more = Term.of("GreaterThan", tax, Term.literal());
    Tree relation = relation(100);
    return Stream.of(
            new Object[] {"other expression ids", sales(100, relation, cheap(100))},
            new Object[] {"conjuncts swapped", sales(100, relation, Plan.and(more, less))},
            new Object[] {"two filters", sales(100, Plan.filter(relation, more), less)},
            new Object[] {"not null added", sales(100, relation, Plan.and(Term.of("IsNotNull", price), Plan.and(less, more)))},
            new Object[] {"comparison turned round", sales(100, relation, Plan.and(Term.of("GreaterThan", Term.literal(), price), more))},
            new Object[] {"cast literal", sales(100, relation, Plan.and(Term.of("LessThan", price, Term.of("Cast", Term.literal())), more))},
            new Object[] {"folded literal", sales(100, relation, Plan.and(
                Term.of("LessThan", price, Term.of("DateAdd", Term.literal(), Term.literal())), more))},
            new Object[] {"view and alias", sales(100, Plan.wrap("SubqueryAlias", Plan.wrap("View", relation)), cheap(100))},
            new Object[] {"hint", sales(100, Plan.wrap("ResolvedHint", relation), cheap(100))},
            new Object[] {"column-only projection", sales(100, Plan.project(relation, tax, price, item), cheap(100))},
            new Object[] {"common expression of 4.x", sales(100, relation, Plan.and(
                Term.of("With", Term.of("LessThan", new Term("CommonExpressionRef", "", 7, Collections.<Term>emptyList(), null), Term.literal()),
                    new Term("CommonExpressionDef", "", 7, Collections.singletonList(price), null)), more))})
        .map(v -> DynamicTest.dynamicTest((String) v[0], () -> {
          assertEquals(Identity.normalForm(plain), Identity.normalForm((Tree) v[1]));
          assertEquals(new Identity(plain, null).query(), new Identity((Tree) v[1], null).query());
        }));
  }

  @TestFactory
  Stream<DynamicTest> anotherQuery() {
    Tree plain = sales(1, relation(1), cheap(1));
    Term price = Term.column("price", 101);
    Term tax = Term.column("tax", 102);
    return Stream.of(
            new Object[] {"or for and", sales(100, relation(100), Term.of("Or", cheap(100).children.get(0), cheap(100).children.get(1)))},
            new Object[] {"other comparison", sales(100, relation(100), Plan.and(
                Term.of("LessThanOrEqual", price, Term.literal()), Term.of("GreaterThan", tax, Term.literal())))},
            new Object[] {"other column", sales(100, relation(100), Plan.and(
                Term.of("LessThan", tax, Term.literal()), Term.of("GreaterThan", tax, Term.literal())))},
            new Object[] {"other table", sales(100, Plan.leaf("table:sales", Term.column("item", 100), price, tax), cheap(100))},
            new Object[] {"a distinct", Plan.wrap("Distinct", sales(100, relation(100), cheap(100)))})
        .map(v -> DynamicTest.dynamicTest((String) v[0], () ->
            assertNotEquals(new Identity(plain, null).query(), new Identity((Tree) v[1], null).query())));
  }

  @Test
  void betweenIsTwoComparisons() {
    Term price = Term.column("price", 2);
    Term between = Term.of("Between", price, Term.literal(), Term.literal());
    Term pair = Plan.and(Term.of("GreaterThanOrEqual", price, Term.literal()), Term.of("LessThanOrEqual", price, Term.literal()));
    assertEquals(Identity.normalForm(Plan.filter(relation(1), pair)), Identity.normalForm(Plan.filter(relation(1), between)));
  }

  @Test
  void commonTableExpressionIsInlined() {
    Tree body = Plan.filter(relation(1), cheap(1));
    Tree definition = new Tree.Builder("CTERelationDef").id(5).output(body.output).children(Collections.singletonList(body)).build();
    Term item = Term.column("item", 51);
    Tree reference = new Tree.Builder("CTERelationRef").id(5)
        .output(Arrays.asList(item, Term.column("price", 52), Term.column("tax", 53))).build();
    Tree top = Plan.project(reference, item);
    Tree with = new Tree.Builder("WithCTE").output(top.output).children(Arrays.asList(top, definition)).build();
    assertEquals(Identity.normalForm(Plan.project(body, Term.column("item", 1))), Identity.normalForm(with));
  }

  @Test
  void recursiveCommonTableExpressionEnds() {
    Tree self = new Tree.Builder("CTERelationRef").id(5).build();
    Tree definition = new Tree.Builder("CTERelationDef").id(5).children(Collections.singletonList(Plan.wrap("UnionLoop", self))).build();
    Tree with = new Tree.Builder("WithCTE").children(Arrays.asList(self, definition)).build();
    assertTrue(Identity.normalForm(with).contains("recursion"));
  }

  @Test
  void innerJoinOnEqualsWhere() {
    Tree left = Plan.leaf("table:a", Term.column("x", 1));
    Tree right = Plan.leaf("table:b", Term.column("y", 2));
    Term on = Term.of("EqualTo", Term.column("x", 1), Term.column("y", 2));
    Term turned = Term.of("EqualTo", Term.column("y", 2), Term.column("x", 1));
    assertEquals(
        Identity.normalForm(Plan.join("Inner", left, right, on)),
        Identity.normalForm(Plan.filter(Plan.join("Cross", left, right, null), turned)));
    assertNotEquals(
        Identity.normalForm(Plan.join("LeftOuter", left, right, on)), Identity.normalForm(Plan.join("Inner", left, right, on)));
  }

  @Test
  void operatorKeepsItsNameWhenTheOptimiserInsertsNodes() {
    Tree analyzed = sales(1, relation(1), cheap(1));
    Identity identity = new Identity(analyzed, null);
    Tree bloom = Plan.filter(relation(1), Plan.and(cheap(1), Term.of("BloomFilterMightContain", Term.literal(), Term.column("item", 1))));
    Tree withProject = Plan.project(bloom, Term.column("item", 1), Term.column("price", 2), Term.column("tax", 3));
    Tree injected = Plan.aggregate(withProject, Term.column("item", 1), analyzed.arg("aggregateExpressions").toArray(new Term[0]));
    Tree filter = analyzed.children.get(0);
    assertEquals(identity.origin("aggregate", analyzed).name(), identity.origin("aggregate", injected).name());
    assertEquals(identity.origin("filter", filter).name(), identity.origin("filter", withProject).name());
    assertEquals(identity.origin("scan", filter).name(), identity.origin("scan", withProject).name());
    assertEquals("item, sum(price * (? - tax))", identity.origin("aggregate", analyzed).words());
    assertEquals("price < ?, tax > ?", identity.origin("filter", withProject).words());
    assertTrue(identity.origin("filter", filter).name().matches("filter@[0-9a-f]{8}"));
  }

  @Test
  void generatedNameSaysWhatItDoesAndReads() {
    Tree view = new Tree.Builder("SubqueryAlias").label("lineitem").output(relation(1).output)
        .children(Collections.singletonList(relation(1))).build();
    assertEquals("aggregate lineitem", new Identity(sales(1, view, cheap(1)), null).generatedName());
  }

  @Test
  void aPureWriteIsNamedByWhatItWrites() {
    Tree view = new Tree.Builder("SubqueryAlias").label("lineitem").output(relation(1).output)
        .children(Collections.singletonList(relation(1))).build();
    Tree read = Plan.filter(view, cheap(1));
    Tree plain = Plan.project(view, relation(1).output.get(0));
    assertEquals("write parquet next", new Identity(write("parquet next", plain), null).generatedName());
    assertEquals("filter lineitem", new Identity(write("parquet next", read), null).generatedName());
    assertEquals("scan lineitem", new Identity(write("", plain), null).generatedName());
    assertEquals(new Identity(write("parquet next", plain), null).query(), new Identity(write("csv other", plain), null).query());
  }

  private static Tree write(String what, Tree child) {
    return new Tree.Builder("InsertIntoHadoopFsRelationCommand").label(what).children(Collections.singletonList(child)).build();
  }

  @Test
  void literalsNeverShow() {
    Term generated = Term.column("(0.2 * avg(price))", 4);
    Pretty pretty = new Pretty(Collections.singleton(5L));
    assertEquals("expr < ?", pretty.of(Term.of("LessThan", generated, Term.literal())));
    assertEquals("sum(price)", pretty.of(Term.column("sum(price)", 4)));
    assertEquals("scalaudf(expr)", pretty.of(Term.of("ScalaUDF", Term.column("acme", 5))));
  }

  /** select item, 'acme' from sales union all …, then distinct. */
  @Test
  void aColumnNamedAfterALiteralHasNoNameButAnIdentity() {
    Term item = Term.column("item", 1);
    Tree left = Plan.project(relation(1), item, Term.alias(Term.literal(), "acme", 9));
    Tree right = Plan.project(relation(11), Term.column("item", 11), Term.alias(Term.literal(), "ajax", 19));
    Tree union = new Tree.Builder("Union").output(left.output).children(Arrays.asList(left, right)).build();
    Tree distinct = Plan.aggregate(union, Term.column("acme", 9), item, Term.column("acme", 9));
    Identity identity = new Identity(distinct, null, Collections.singleton(9L));
    assertEquals("expr", identity.origin("aggregate", distinct).words());
    assertEquals("acme", new Identity(distinct, null).origin("aggregate", distinct).words());
    assertEquals(new Identity(distinct, null).query(), identity.query());
    assertEquals(new Identity(distinct, null).origin("aggregate", distinct).name(), identity.origin("aggregate", distinct).name());
  }
}
