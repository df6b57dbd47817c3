#include "page/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::page {

using testing::HasSubstr;
using testing::Not;

TEST(Document, HasItsDataWhereTheMarkerStood) {
    EXPECT_EQ(with_data("<title>parcast</title><p><!--parcast-data--></p>", "pigz", {{"overview", "QQ=="}}),
              "<title>pigz – parcast</title><p>"
              "<script type=\"application/octet-stream\" id=\"overview\">QQ==</script>\n</p>");
}

TEST(Document, HasATextForReadersWithoutScripts) {
    EXPECT_EQ(with_data("<title>parcast</title><!--parcast-data-->", "a", {}, "1 < 2\n"),
              "<title>a – parcast</title><noscript><pre>1 &lt; 2\n</pre></noscript>\n");
}

TEST(Document, ShowsAHostileTitleAndDoesNotRunIt) {
    auto const document =
        with_data("<title>parcast</title><!--parcast-data-->", "</title><script>alert('1')</script>", {});
    EXPECT_THAT(document, Not(HasSubstr("<script>")));
    EXPECT_THAT(document, HasSubstr("&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)"));
}

TEST(Document, IsMadeOfTheTemplate) {
    auto const document = with_data(template_page(), "a & b", {{"overview", packed("{}")}});
    EXPECT_THAT(document, HasSubstr("<title>a &amp; b – parcast</title>"));
    EXPECT_EQ(document.find("<!--parcast-data-->"), std::string::npos);
    EXPECT_GT(document.find("<script>"), document.find(packed("{}"))) << "the data come before the script";
}

TEST(Assets, HaveTheModule) {
    auto const module = module_bytes();
    ASSERT_GT(module.size(), 8U);
    EXPECT_EQ(std::string(reinterpret_cast<char const*>(module.data()), 4), std::string("\0asm", 4));
}

}  // namespace parcast::page
