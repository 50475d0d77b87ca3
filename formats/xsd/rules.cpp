#include "formats/xsd/rules.hpp"

#include <libxml/xmlerror.h>

#include <array>
#include <utility>

namespace postbus::xsd {
namespace {

constexpr std::pair<int, std::string_view> rules[] = {
    {XML_SCHEMAV_ELEMENT_CONTENT, "cvc-complex-type.2.4"},
    {XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1, "cvc-datatype-valid.1.2.1"},
    {XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_2, "cvc-datatype-valid.1.2.2"},
    {XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_3, "cvc-datatype-valid.1.2.3"},
    {XML_SCHEMAV_CVC_TYPE_1, "cvc-type.1"},
    {XML_SCHEMAV_CVC_TYPE_2, "cvc-type.2"},
    {XML_SCHEMAV_CVC_TYPE_3_1_1, "cvc-type.3.1.1"},
    {XML_SCHEMAV_CVC_TYPE_3_1_2, "cvc-type.3.1.2"},
    {XML_SCHEMAV_CVC_FACET_VALID, "cvc-facet-valid"},
    {XML_SCHEMAV_CVC_LENGTH_VALID, "cvc-length-valid"},
    {XML_SCHEMAV_CVC_MINLENGTH_VALID, "cvc-minLength-valid"},
    {XML_SCHEMAV_CVC_MAXLENGTH_VALID, "cvc-maxLength-valid"},
    {XML_SCHEMAV_CVC_MININCLUSIVE_VALID, "cvc-minInclusive-valid"},
    {XML_SCHEMAV_CVC_MAXINCLUSIVE_VALID, "cvc-maxInclusive-valid"},
    {XML_SCHEMAV_CVC_MINEXCLUSIVE_VALID, "cvc-minExclusive-valid"},
    {XML_SCHEMAV_CVC_MAXEXCLUSIVE_VALID, "cvc-maxExclusive-valid"},
    {XML_SCHEMAV_CVC_TOTALDIGITS_VALID, "cvc-totalDigits-valid"},
    {XML_SCHEMAV_CVC_FRACTIONDIGITS_VALID, "cvc-fractionDigits-valid"},
    {XML_SCHEMAV_CVC_PATTERN_VALID, "cvc-pattern-valid"},
    {XML_SCHEMAV_CVC_ENUMERATION_VALID, "cvc-enumeration-valid"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1, "cvc-complex-type.2.1"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_2_2, "cvc-complex-type.2.2"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_2_3, "cvc-complex-type.2.3"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_2_4, "cvc-complex-type.2.4"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_3_1, "cvc-complex-type.3.1"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_1, "cvc-complex-type.3.2.1"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_2, "cvc-complex-type.3.2.2"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_4, "cvc-complex-type.4"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_5_1, "cvc-complex-type.5.1"},
    {XML_SCHEMAV_CVC_COMPLEX_TYPE_5_2, "cvc-complex-type.5.2"},
    {XML_SCHEMAV_CVC_ELT_1, "cvc-elt.1"},
    {XML_SCHEMAV_CVC_ELT_2, "cvc-elt.2"},
    {XML_SCHEMAV_CVC_ELT_3_1, "cvc-elt.3.1"},
    {XML_SCHEMAV_CVC_ELT_3_2_1, "cvc-elt.3.2.1"},
    {XML_SCHEMAV_CVC_ELT_3_2_2, "cvc-elt.3.2.2"},
    {XML_SCHEMAV_CVC_ELT_4_1, "cvc-elt.4.1"},
    {XML_SCHEMAV_CVC_ELT_4_2, "cvc-elt.4.2"},
    {XML_SCHEMAV_CVC_ELT_4_3, "cvc-elt.4.3"},
    {XML_SCHEMAV_CVC_ELT_5_1_1, "cvc-elt.5.1.1"},
    {XML_SCHEMAV_CVC_ELT_5_1_2, "cvc-elt.5.1.2"},
    {XML_SCHEMAV_CVC_ELT_5_2_1, "cvc-elt.5.2.1"},
    {XML_SCHEMAV_CVC_ELT_5_2_2_1, "cvc-elt.5.2.2.1"},
    {XML_SCHEMAV_CVC_ELT_5_2_2_2_1, "cvc-elt.5.2.2.2.1"},
    {XML_SCHEMAV_CVC_ELT_5_2_2_2_2, "cvc-elt.5.2.2.2.2"},
    {XML_SCHEMAV_CVC_ELT_6, "cvc-elt.6"},
    {XML_SCHEMAV_CVC_ELT_7, "cvc-elt.7"},
    {XML_SCHEMAV_CVC_ATTRIBUTE_1, "cvc-attribute.1"},
    {XML_SCHEMAV_CVC_ATTRIBUTE_2, "cvc-attribute.2"},
    {XML_SCHEMAV_CVC_ATTRIBUTE_3, "cvc-attribute.3"},
    {XML_SCHEMAV_CVC_ATTRIBUTE_4, "cvc-attribute.4"},
    {XML_SCHEMAV_CVC_AU, "cvc-au"},
    {XML_SCHEMAV_CVC_IDC, "cvc-identity-constraint"},
    {XML_SCHEMAV_CVC_WILDCARD, "cvc-wildcard"},
};

}  // namespace

std::string_view ruleOf(int code) {
    for (const auto& [its, name] : rules)
        if (its == code) return name;
    return {};
}

}  // namespace postbus::xsd
